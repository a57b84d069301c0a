import pytest

from toolpost.workspace.reading.mime import mime_of


@pytest.mark.parametrize(
    ("head", "name", "mime"),
    [
        (b"\x89PNG\r\n\x1a\n", "", "image/png"),
        (b"\xff\xd8\xff\xe0", "wrong.png", "image/jpeg"),
        (b"GIF89a", "", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "", "image/webp"),
        (b"RIFF\x00\x00\x00\x00WAVEfmt ", "", "audio/wav"),
        (b"RIFF\x00\x00\x00\x00????", "", "application/octet-stream"),
        (b"\x00\x00\x00\x20ftypisom", "", "video/mp4"),
        (b"\x00\x00\x00\x20ftypavif", "", "image/avif"),
        (b"PK\x03\x04", "a.zip", "application/zip"),
        (b"PK\x03\x04", "a.xls", "application/vnd.ms-excel"),
        (b"PK\x03\x04", "a.txt", "application/zip"),
        (b"\x00asm\x01", "", "application/wasm"),
        (b"\x7fELF\x02", "", "application/x-elf"),
        (b"SQLite format 3\x00", "x.db", "application/vnd.sqlite3"),
        (b"x" * 257 + b"ustar", "", "application/x-tar"),
        (b"MZ\x90\x00", "", "application/vnd.microsoft.portable-executable"),
        (b"MZ said he", "", "application/octet-stream"),
        (b"BM, a diary", "diary.txt", "text/plain"),
        (b"????", "song.mp3", "audio/mpeg"),
        (b"????", "", "application/octet-stream"),
    ],
)
def test_a_kind_is_known_by_how_it_begins_and_then_by_its_name(head: bytes, name: str, mime: str) -> None:
    assert mime_of(head, name) == mime
