"""How logs write a line: the time forms of dmesg, syslog and journalctl, and the frames of containers around them.

A line is (seconds since 1970, seconds since boot, program or "kernel", pid, message).
"""
import datetime
import json

SHIFT = datetime.timezone(datetime.timedelta(hours=9))


def utc(at):
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc)


def tag(program, pid):
    return f"{program}:" if program == "kernel" else f"{program}[{pid}]:"


def dmesg(m, at, up, program, pid, text):
    return f"[{up:12.6f}] {text}"


def dmesg_ctime(m, at, up, program, pid, text):
    return f"[{utc(at).strftime('%a %b %e %H:%M:%S %Y')}] {text}"


def dmesg_iso(m, at, up, program, pid, text):
    return f"{utc(at).astimezone(SHIFT).isoformat(timespec='microseconds').replace('.', ',')} {text}"


def dmesg_decoded(m, at, up, program, pid, text):
    return f"kern  :info  : [{up:12.6f}] {text}"


def dmesg_raw(m, at, up, program, pid, text):
    return f"<6>[{up:12.6f}] {text}"


def kmsg(m, at, up, program, pid, text):
    return f"6,{int(up * 10)},{int(up * 1e6)},-;{text}"


def bare(m, at, up, program, pid, text):
    return text


def syslog(m, at, up, program, pid, text):
    up_text = f"[{up:12.6f}] " if program == "kernel" else ""
    return f"{utc(at).strftime('%b %e %H:%M:%S')} {m.host} {tag(program, pid)} {up_text}{text}"


def rsyslog_iso(m, at, up, program, pid, text):
    return f"{utc(at).astimezone(SHIFT).isoformat(timespec='microseconds')} {m.host} {tag(program, pid)} {text}"


def rfc5424(m, at, up, program, pid, text):
    number = "-" if program == "kernel" else pid
    return f"<{6 if program == 'kernel' else 30}>1 {utc(at).isoformat(timespec='milliseconds').replace('+00:00', 'Z')} {m.host} {program} {number} - - {text}"


def journal_iso(m, at, up, program, pid, text):
    return f"{utc(at).strftime('%Y-%m-%dT%H:%M:%S+0000')} {m.host} {tag(program, pid)} {text}"


def journal_iso_precise(m, at, up, program, pid, text):
    return f"{utc(at).astimezone(SHIFT).isoformat(timespec='microseconds')} {m.host} {tag(program, pid)} {text}"


def journal_precise(m, at, up, program, pid, text):
    return f"{utc(at).strftime('%b %d %H:%M:%S.%f')} {m.host} {tag(program, pid)} {text}"


def journal_full(m, at, up, program, pid, text):
    return f"{utc(at).strftime('%a %Y-%m-%d %H:%M:%S UTC')} {m.host} {tag(program, pid)} {text}"


def journal_unix(m, at, up, program, pid, text):
    return f"{at:.6f} {m.host} {tag(program, pid)} {text}"


def journal_monotonic(m, at, up, program, pid, text):
    return f"[{up:12.6f}] {m.host} {tag(program, pid)} {text}"


def journal_json(m, at, up, program, pid, text):
    entry = {"__REALTIME_TIMESTAMP": str(int(at * 1e6)), "__MONOTONIC_TIMESTAMP": str(int(up * 1e6)), "_BOOT_ID": m.boot_id, "_HOSTNAME": m.host,
             "_MACHINE_ID": m.machine_id, "PRIORITY": "6", "SYSLOG_IDENTIFIER": program, "MESSAGE": text,
             "_TRANSPORT": "kernel" if program == "kernel" else "stdout"}
    if program != "kernel":
        entry.update({"_PID": str(pid), "_COMM": program[:15]})
    return json.dumps(entry)


def journal_export(m, at, up, program, pid, text):
    return (f"__REALTIME_TIMESTAMP={int(at * 1e6)}\n__MONOTONIC_TIMESTAMP={int(up * 1e6)}\n_BOOT_ID={m.boot_id}\n_HOSTNAME={m.host}\n"
            f"_TRANSPORT={'kernel' if program == 'kernel' else 'syslog'}\nPRIORITY=6\nSYSLOG_IDENTIFIER={program}\nMESSAGE={text}\n")



# Of these only kernel lines are written so.
KERNEL_ONLY = {dmesg, dmesg_ctime, dmesg_iso, dmesg_decoded, dmesg_raw, kmsg, bare}
TIME_FORMS = (dmesg, dmesg_ctime, dmesg_iso, dmesg_decoded, dmesg_raw, kmsg, bare, syslog, rsyslog_iso, rfc5424, journal_iso, journal_iso_precise,
              journal_precise, journal_full, journal_unix, journal_monotonic, journal_json, journal_export)


def cri(m, at, line):
    return f"{utc(at).isoformat(timespec='microseconds').replace('+00:00', '')}000Z stdout F {line}"


def docker_json(m, at, line):
    return json.dumps({"log": line + "\n", "stream": "stdout", "time": utc(at).isoformat().replace("+00:00", "Z")})


def compose(m, at, line):
    return f"node-logger-1  | {line}"


def kubectl_prefix(m, at, line):
    return f"[pod/node-logger-7xk2p/tail] {line}"


def kubectl_timestamps(m, at, line):
    return f"{utc(at).isoformat(timespec='microseconds').replace('+00:00', '')}000Z {line}"


FRAMES = (cri, docker_json, compose, kubectl_prefix, kubectl_timestamps)
