import pytest

from toolpost.visible import settled, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("two\n\tlines\r\n", "two\n\tlines\r\n"),
        ("ação ✓ 漢字", "ação ✓ 漢字"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0\x1b\\after", "after"),
        ("\x1b(Bset", "set"),
        ("\x9b31mred", "red"),
        ("\x1b]0;never ends", "0;never ends"),
        ("\x1b", ""),
        ("a\u202eb", "a<U+202E>b"),
        ("a\u2066b\u2069", "a<U+2066>b<U+2069>"),
        ("a\x07b\x00", "a<U+0007>b<U+0000>"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("न\u200cह", "न\u200cह"),
        ("a\u200db", "a<U+200D>b"),
        ("é\u200d", "é<U+200D>"),
        ("\ufeffbom", "<U+FEFF>bom"),
    ],
)
def test_nothing_is_hidden_and_nothing_commands_a_terminal(text: str, seen: str) -> None:
    assert visible(text) == seen


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("10%\r50%\r100%\ndone\n", "100%\ndone\n"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("back\r", "back"),
        ("_\bb_\bo", "bo"),
        ("\x1b[2K\rnew", "new"),
        ("plain\n", "plain\n"),
    ],
)
def test_a_line_written_anew_stands_as_it_was_last(text: str, stands: str) -> None:
    assert settled(text) == stands


def test_a_long_text_of_beginnings_takes_no_time() -> None:
    assert visible("\x1b]" * 200_000) == ""
    assert settled("x" * 1_000_000 + "\r\n") == "x" * 1_000_000 + "\n"
