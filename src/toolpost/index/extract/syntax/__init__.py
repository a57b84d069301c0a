"""Languages read by tree-sitter alone: a small module each says which of its nodes count."""

from toolpost.index.extract.languages import language_of
from toolpost.index.extract.syntax.c import CPP, C
from toolpost.index.extract.syntax.csharp import CSHARP
from toolpost.index.extract.syntax.go import GO
from toolpost.index.extract.syntax.java import JAVA
from toolpost.index.extract.syntax.kotlin import KOTLIN
from toolpost.index.extract.syntax.php import PHP
from toolpost.index.extract.syntax.ruby import RUBY
from toolpost.index.extract.syntax.rust import RUST
from toolpost.index.extract.syntax.swift import SWIFT
from toolpost.index.extract.syntax.walk import read
from toolpost.index.model import Extract

LANGUAGES = {
    "c": C,
    "cpp": CPP,
    "csharp": CSHARP,
    "go": GO,
    "java": JAVA,
    "kotlin": KOTLIN,
    "php": PHP,
    "ruby": RUBY,
    "rust": RUST,
    "swift": SWIFT,
}


def extract(path: str, text: bytes) -> Extract:
    return read(LANGUAGES[language_of(path, text)], path, text)
