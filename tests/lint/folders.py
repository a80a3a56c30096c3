"""Every folder says in one paragraph what it is: README.md."""
from finding import Finding

# A case folder explains itself in its case.yaml; so do seeds and goldens.
PATTERNS = ("src", "src/*", "src/evidence/*", "src/adapters/*", "apps", "apps/*", "catalog", "catalog/*", "tests", "tests/*",
            "docs", "docs/*", "bench", "cmake", "examples")
MIN_WORDS = 10


def check(root):
    for pattern in PATTERNS:
        for folder in sorted(root.glob(pattern)):
            if not folder.is_dir() or folder.name.startswith((".", "__")) or not any(folder.iterdir()):
                continue
            readme = folder / "README.md"
            if not readme.is_file():
                yield Finding(folder, 1, "readme", "has no README.md")
            elif len(readme.read_text(encoding="utf-8").split()) < MIN_WORDS:
                yield Finding(readme, 1, "readme", "says too little: what it is, what it may not know, where to start reading")
