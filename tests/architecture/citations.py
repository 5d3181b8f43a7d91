#!/usr/bin/env python3
"""Checks that every citation in the repository resolves.

A citation is an author and a year ("Koss & Alfredson 1973"), which needs an entry in docs/references.bib, or the
id of a checked result ("reference A03"), which needs a row in docs/references.md.

    citations.py ROOT    checks the files of a repository; prints what does not resolve and exits with 1
    citations.py --self-test
"""
import pathlib
import re
import sys
import unicodedata
import unittest

FOLDERS = ["apps", "bench", "docs", "fuzz", "scenes", "schema", "src", "tests"]
FILES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
SUFFIXES = {".h", ".cpp", ".md", ".json", ".py"}

NAME = r"[A-ZÄÖÜ][\w'’-]+(?: Loan)?"
# Names in a list, "A, B & C 1990", "A and B (1990)", "A et al. 1990" or "A 1990". A year is not a rate or a length.
CITATION = re.compile(
    rf"({NAME}(?:, {NAME})*(?:,? (?:&|and) {NAME})?)(,? et al\.?)?,? \(?((?:18|19|20)\d\d)\b(?!\.?\d|-| (?:m|kg|Hz|s)\b)"
)
ID = re.compile(r"\b(?:P-)?[ABCDNRS]\d\d\b(?!\.\d)")


def plain(text):
    """Text in lower case without accents, as names are compared: "Möller", "Moeller" and "M{\\"o}ller" are one."""
    text = text.replace("ø", "o").replace("æ", "ae").replace("ß", "ss")
    for umlaut, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue")):
        text = text.replace(umlaut, letters).replace(umlaut.upper(), letters)
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if not unicodedata.combining(c)).lower().replace("’", "'")


def untex(text):
    text = text.replace("\\ae", "ae").replace("{\\o}", "o")
    text = re.sub(r'\\"\{?([aouAOU])\}?', r"\1e", text)
    text = re.sub(r"\\(?:[`'^~]|[vc](?=\{))\{?(\w)\}?", r"\1", text)
    return text.replace("{", "").replace("}", "")


def bibliography(text):
    """Surnames and year of each entry."""
    works = []
    for entry in re.findall(r"^@\w+\{.*?^\}", text, re.S | re.M):
        author = re.search(r"^\s*author\s*=\s*\{(.*)\},$", entry, re.M)
        year = re.search(r"year\s*=\s*\{(\d{4})\}", entry)
        if not author or not year:
            raise SystemExit(f"docs/references.bib: no author or year in {entry.splitlines()[0]}")
        people = [plain(untex(one)).split(",")[0].strip() for one in author[1].split(" and ")]
        works.append((people, int(year[1])))
    return works


def table_ids(text):
    """Ids in the first column of the tables."""
    return set(re.findall(r"^\| ((?:P-)?[A-Z]\d\d) \|", text, re.M))


def is_known(names, et_al, year, works):
    """Whether one work of that year has all these authors; with "et al." the first one is enough."""
    names = [plain(name) for name in names]
    for people, when in works:
        if when != year:
            continue
        last_words = {person.split()[-1] for person in people} | set(people)
        if et_al and people[0].split()[-1] != names[0].split()[-1]:
            continue
        if all(name in last_words for name in names):
            return True
    return False


def joined_comments(text):
    """The text with wrapped lines, comment marks and string literals joined, so that names may be broken anywhere."""
    return re.sub(r'["“”]?\s*\n\s*(?://[/!]?<?|\*|#|>)?\s*"?', " ", text)


def words_of_code(text):
    """Comments and string literals of C++: A12 in code is a name."""
    return "\n".join(re.findall(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', text, re.S))


def unresolved(text, works, ids, is_code=False):
    """Citations of a text that resolve to nothing."""
    text = joined_comments(words_of_code(text) if is_code else text)
    wrong = [f"reference {one}" for one in sorted(set(ID.findall(text)) - ids)]
    for match in CITATION.finditer(text):
        names = re.split(r", | & | and ", match[1].replace(", &", " &").replace(", and", " and"))
        # A sentence may begin before the list of names does: "As Wang et al. 2018".
        if not is_known(names, bool(match[2]), int(match[3]), works):
            wrong.append(match[0])
    return wrong


def files_of(root):
    for name in FILES:
        yield root / name
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and path.name != "citations.py":
                yield path


def check(root):
    works = bibliography((root / "docs/references.bib").read_text(encoding="utf-8"))
    ids = table_ids((root / "docs/references.md").read_text(encoding="utf-8"))
    failures = 0
    for path in files_of(root):
        text = path.read_text(encoding="utf-8", errors="replace")
        for citation in unresolved(text, works, ids, path.suffix in {".h", ".cpp"}):
            print(f"{path.relative_to(root)}: '{citation}' has no entry in docs/references.bib or docs/references.md")
            failures += 1
    return failures


class Citations(unittest.TestCase):
    works = bibliography(
        '@article{a,\n  author    = {M{\\"o}ller, Tomas and Van Loan, Charles},\n  year = {1997}\n}\n'
        "@article{b,\n  author    = {O'Brien, James F. and Cook, Perry R. and Essl, Georg},\n  title = {x}, year = {2001}\n}\n"
        "@article{c,\n  author    = {van den Doel, Kees and Pai, Dinesh K.},\n  year = {1998}\n}\n")
    ids = table_ids("| id | what |\n| A03 | sphere |\n| P-S15 | die |\n")

    def assert_resolves(self, text):
        self.assertEqual(unresolved(text, self.works, self.ids), [])

    def assert_fails(self, text):
        self.assertEqual(len(unresolved(text, self.works, self.ids)), 1, text)

    def test_known_citations_resolve(self):
        for text in ("(O'Brien, Cook & Essl 2001, equation 3)", "O'Brien et al. 2001", "Cook & Essl 2001", "van den Doel & Pai 1998",
                     "Moeller & Van Loan 1997", "Möller and Van Loan (1997)", "reference A03", "(references A03, P-S15)"):
            self.assert_resolves(text)

    def test_lines_may_break_anywhere(self):
        self.assert_resolves("/// as O'Brien, Cook &\n/// Essl 2001 have it")
        self.assert_resolves('"O\'Brien, Cook & "\n    "Essl 2001"')
        self.assert_fails("/// as O'Brien, Cook &\n/// Smith 2001 have it")

    def test_names_in_code_are_no_citations(self):
        code = 'V = A21 * Q;  // reference A03\nlog("reference A03");\n/* as Pai\n * 2001 */'
        self.assertEqual(unresolved(code, self.works, self.ids, is_code=True), ["Pai 2001"])
        self.assertEqual(unresolved("x = 1;  // reference A21", self.works, self.ids, is_code=True), ["reference A21"])

    def test_unknown_citations_are_found(self):
        for text in ("Smith 2001", "(O'Brien, Cook & Smith 2001)", "O'Brien et al. 1999", "Essl et al. 2001", "Pai 2001",
                     "reference A04", "P-A03"):
            self.assert_fails(text)

    def test_numbers_are_no_citations(self):
        for text in ("At 2000 Hz", "ASME B46.1", "Vertices 2000 m out", "2018-wave", "Rate 1000.5", "step A1 of B123"):
            self.assert_resolves(text)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        unittest.main(argv=sys.argv[:1])
    sys.exit(1 if check(pathlib.Path(sys.argv[1])) else 0)
