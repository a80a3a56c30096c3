"""Keys and certificates for one test run, made by openssl."""
import pathlib
import subprocess


def _openssl(*words, text=None):
    done = subprocess.run(["openssl", *map(str, words)], input=text, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {' '.join(map(str, words))}: {done.stderr.decode(errors='replace')}")


class Authority:
    """A certificate authority in a folder of its own."""

    def __init__(self, folder, name):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.key, self.certificate = self.folder / f"{name}.key", self.folder / f"{name}.crt"
        _openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                 "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.certificate,
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, subject, alternative=None, days=30):
        """(certificate, key) for a server (with alternative names: "DNS:a,IP:127.0.0.1") or a client."""
        key, request, certificate = (self.folder / f"{name}.{suffix}" for suffix in ("key", "csr", "crt"))
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", subject,
                 "-keyout", key, "-out", request)
        lines = ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth"]
        if alternative:
            lines.append(f"subjectAltName={alternative}")
        extensions = self.folder / f"{name}.ext"
        extensions.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
                 "-days", days, "-extfile", extensions, "-out", certificate)
        return certificate, key
