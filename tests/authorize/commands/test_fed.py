"""What a here-document or an option tells a program to run meets what is denied."""

import pytest
from tests.authorize.commands.shown import denied

_DENIED = (
    "compgen -C psql",
    "compgen -F psql",
    "compgen -W '$(psql)'",
    "ed <<< '!psql'",
    "timeout 5 ed <<< '!psql'",
    "timeout 5 bash <<< 'psql -l'",
    "gdb -ex 'shell psql' -batch",
    "gdb -batch -x /dev/stdin <<< 'shell psql'",
    "make -f - <<E\na:\n\t@psql -l\nE",
    "make -f /dev/stdin <<< 'a:;psql'",
    "ex -s x <<E\nr !psql -l\nE",
    "python3 - <<E\nsubprocess.run(['psql', '-l'])\nE",
    "mapfile -C psql -c 1 < f",
    "builtin readarray -C psql -c 1 < f",
    "printf -v 'a[$(psql >&2)]' x",
)


@pytest.mark.parametrize("line", _DENIED)
def test_a_denied_program_is_found(line: str) -> None:
    assert denied("psql *", line)


def test_a_document_that_is_only_copied_is_text() -> None:
    assert not denied("psql *", "cat > notes.md <<E\n!psql\npsql -l\nE")
