"""Korean texts of the catalogue: style, particles, and the words that docs/glossary.md does not want."""
import re

import yaml

from finding import Finding, read

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# The heading of the glossary's table of unwanted words; its rows are `| word | the word to use | why |`.
UNWANTED = "## Korean words that are not used"

# Sentences end in 합니다 or 하십시오, never in the plain 한다 (과다 and 최다 are nouns); titles are no sentences at all.
PLAIN = re.compile(r"[가-힣](?<![니과최])다(?=[.!?]|$)")
SENTENCE = re.compile(r"(니다|십시오)\.?$")
# A verb made of a Latin word is one word: "cordon하십시오".
SPLIT_VERB = re.compile(r"[A-Za-z] (하십시오|하지|하거나|하고|한 뒤|합니다|했습니다|할 수|됩니다|되었|됨|함)(?![가-힣])")
EITHER_OR = re.compile(r"이\(가\)|가\(이\)|을\(를\)|를\(을\)|은\(는\)|는\(은\)|\(으\)로|과\(와\)|와\(과\)")
AFTER_PLACEHOLDER = re.compile(r"\}(이나|나|이|가|을|를|은|는|과|와|으로|로)(?![가-힣])")
PARTICLE = re.compile(r"(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9-]*|\d+)(이나|나|이|가|을|를|은|는|과|와|으로|로)(?![가-힣])")

# How a common word ends when a Korean reads it: in a vowel, in ㄹ, or in another consonant. Words that are not here are not judged.
VOWEL, RIEUL, CONSONANT = "vowel", "rieul", "consonant"
READING = {word: ending for ending, words in {
    VOWEL: "NVLink NVSwitch Xid SXid GPU vGPU CPU BAR PCI PCIe AER DPC IOMMU SMMU DMA RDMA ECC GSP PMU BMC BIOS VBIOS CUDA IMEX MIG CDI DRA PVC VMI "
           "QEMU libvirt KubeVirt Kubernetes Docker Linux slurmd slurmctld systemd containerd vfio vfio-pci nouveau nvidia-smi lspci setpci "
           "sysfs virt-handler virt-launcher launcher exporter manager probe taint validator Hopper Ampere capacity unbind SEC2 UUID GUID ID id",
    RIEUL: "NVML NCCL Blackwell NVSentinel allocatable kernel FLR URL",
    CONSONANT: "Slurm kubelet VM DRAM SRAM HBM ROM InfoROM OOM DCGM NVLSM NVRM UVM NIC DIMM cgroup cordon drain fabric toolkit peermem nvidia-peermem",
}.items() for word in words.split()}
DIGIT = {"0": CONSONANT, "1": RIEUL, "2": VOWEL, "3": CONSONANT, "4": VOWEL, "5": VOWEL, "6": CONSONANT, "7": RIEUL, "8": RIEUL, "9": VOWEL}
TOPIC = {"이": "가", "을": "를", "은": "는", "과": "와", "이나": "나"}


def unwanted(root):
    """(word, the word to use) of the glossary's table; empty where there is no glossary."""
    path = root / "docs/glossary.md"
    if not path.is_file():
        return []
    rows = read(path).partition(UNWANTED)[2].partition("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows if row.startswith("|")]
    return [(row[0], row[1]) for row in cells[2:] if len(row) > 1]


def right_particle(word, particle):
    """The particle that fits the reading of `word`; the one given where that is not known."""
    ending = DIGIT[word[-1]] if word.isdigit() else READING.get(word)
    if ending is None:
        return particle
    if particle in ("으로", "로"):
        return "으로" if ending == CONSONANT else "로"
    for after_consonant, after_vowel in TOPIC.items():
        if particle in (after_consonant, after_vowel):
            return after_vowel if ending == VOWEL else after_consonant
    return particle


def _texts(node, key=""):
    """(key it stands under, en, ko) for each pair of scalar nodes below `node`."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(item, key)
    elif isinstance(node, yaml.MappingNode):
        items = {name.value: value for name, value in node.value if isinstance(name, yaml.ScalarNode)}
        if isinstance(items.get("ko"), yaml.ScalarNode) and isinstance(items.get("en"), yaml.ScalarNode):
            yield key, items["en"], items["ko"]
            return
        for name, value in items.items():
            yield from _texts(value, name)


def _style(key, english, korean):
    if PLAIN.search(korean):
        yield "korean-style", f"'{PLAIN.search(korean).group(0)}' ends a sentence plainly; write 합니다 or 하십시오"
    if key == "title" and SENTENCE.search(korean):
        yield "korean-style", "a title is a noun phrase, not a sentence"
    if english.endswith(".") != korean.endswith("."):
        yield "korean-style", "one of the two languages ends in a full stop and the other does not"
    for match in SPLIT_VERB.finditer(korean):
        yield "korean-style", f"'{match.group(0)}' is one word"


def _particles(korean):
    for match in [*EITHER_OR.finditer(korean), *AFTER_PLACEHOLDER.finditer(korean)]:
        yield "korean-particle", f"'{match.group(0)}': after a placeholder use one that does not change, such as 의 or 에서"
    for match in PARTICLE.finditer(korean):
        word, particle = match.groups()
        fits = right_particle(word, particle)
        if fits != particle:
            yield "korean-particle", f"'{word}{particle}' is read '{word}{fits}'"


def check(root):
    words = unwanted(root)
    for path in sorted((root / "catalog").rglob("*.yaml")):
        try:
            tree = yaml.compose(read(path), Loader=LOADER)
        except yaml.YAMLError:
            continue  # `catalogue` says so
        for key, english_node, korean_node in _texts(tree):
            english, korean = english_node.value.strip(), korean_node.value.strip()
            line = korean_node.start_mark.line + 1
            for rule, text in [*_style(key, english, korean), *_particles(korean)]:
                yield Finding(path, line, rule, text)
            for word, instead in words:
                if word in korean:
                    yield Finding(path, line, "korean-word", f"'{word}': the glossary says '{instead}'")
