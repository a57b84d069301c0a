"""What follows from a command's words: files and hosts."""

import pytest
from tests.authorize.commands.shown import told

from toolpost.authorize.commands.operands import OPERANDS

ROWS = [
    ("cat a b", ["read /w/a", "read /w/b"]),
    ("cat -n -- -a", ["read /w/-a"]),
    ("cat -", []),
    ("cat /dev/null", []),
    ("head -n 5 a", ["read /w/a"]),
    ("grep x a", ["read /w/a"]),
    ("grep -e x a", ["read /w/a"]),
    ("grep -rn x src", ["read /w/src /"]),
    ("grep -r x", ["read /w /"]),
    ("grep -f p a", ["read /w/p", "read /w/a"]),
    ("rg x", ["read /w /"]),
    ("rg -g '!.env' x src", ["read /w/src /"]),
    ("rg --files src", ["read /w/src /"]),
    ("ls", ["read /w"]),
    ("ls -R src", ["read /w/src /"]),
    ("ls *.py", ["read /w/*.py *"]),
    ("tree", ["read /w /"]),
    ("du -sh a", ["read /w/a /"]),
    ("find", ["read /w /"]),
    ("find -L src test -name x", ["read /w/src /", "read /w/test /"]),
    ("fd x src", ["read /w/src /"]),
    ("sed s/a/b/ x", ["read /w/x"]),
    ("sed -i s/a/b/ x", ["write /w/x"]),
    ("sed -i.bak -e s/a/b/ x", ["write /w/x"]),
    ("awk '{print}' x", ["read /w/x"]),
    ("jq . x", ["read /w/x"]),
    ("sort -o out a", ["write /w/out", "read /w/a"]),
    ("sort --output=out a", ["write /w/out", "read /w/a"]),
    ("cp a b c", ["read /w/a", "read /w/b", "write /w/c"]),
    ("cp -t d a b", ["write /w/d", "read /w/a", "read /w/b"]),
    ("cp -r a b", ["read /w/a /", "write /w/b"]),
    ("mv a b", ["delete /w/a", "write /w/b"]),
    ("install -m 644 a b", ["read /w/a", "write /w/b"]),
    ("ln -s a b", ["read /w/a", "write /w/b"]),
    ("rsync -a a b", ["read /w/a /", "write /w/b"]),
    ("rsync -a a h:b", ["net h", "read /w/a /", "write /w/h:b"]),
    ("tee a", ["write /w/a"]),
    ("touch a", ["write /w/a"]),
    ("mkdir -p a/b", ["write /w/a/b"]),
    ("chmod 644 a", ["write /w/a"]),
    ("chmod -R 777 a", ["write /w/a /"]),
    ("chown -R u:g a", ["write /w/a /"]),
    ("truncate -s 0 a", ["write /w/a"]),
    ("dd if=a of=b bs=1", ["read /w/a", "write /w/b"]),
    ("rm a", ["delete /w/a"]),
    ("rm -rf a", ["delete /w/a /"]),
    ("rm -rf /", ["delete / /"]),
    ("rm -rf ~ ..", ["delete /home/u /", "delete / /"]),
    ("rm -rf $HOME/*", ["delete /home/u/* * /"]),
    ("shred a", ["delete /w/a"]),
    ("rmdir a", ["delete /w/a"]),
    ("unlink a", ["delete /w/a"]),
    ("find . -delete", ["read /w /", "delete /w /"]),
    ("find a b -type f -delete", ["read /w/a /", "read /w/b /", "delete /w/a /", "delete /w/b /"]),
    ("find . -name '*.pyc' -delete", ["read /w /", "delete /w/**/*.pyc *"]),
    ("find . -name '*' -delete", ["read /w /", "delete /w /"]),
    ("find . ! -name x -delete", ["read /w /", "delete /w /"]),
    ("find . -name x -o -delete", ["read /w /", "delete /w /"]),
    ("find . -empty -delete", ["read /w /", "delete /w/**/?* *"]),
    ("find . -path './build/*' -delete", ["read /w /", "delete /w/**/?* *"]),
    ("find / -delete", ["read / /", "delete / /"]),
    ("find . -fprint out", ["read /w /", "write /w/out"]),
    ("tar xf a.tar", ["read /w/a.tar", "write /w /"]),
    ("tar -czf a.tgz src", ["write /w/a.tgz", "read /w/src /"]),
    ("git rm a", ["delete /w/a"]),
    ("git rm --cached a", []),
    ("git log --output=x", ["write /w/x"]),
    ("python3 x.py y", ["read /w/x.py"]),
    ("bash x.sh y", ["read /w/x.sh"]),
    ("source x.sh", ["read /w/x.sh"]),
    ("time -o log make", ["write /w/log"]),
    ("curl https://a.b/c", ["net https://a.b/c"]),
    ("curl a.b", ["net a.b"]),
    ("curl -o x -d @y a.b", ["write /w/x", "read /w/y", "net a.b"]),
    ("curl -F f=@y -T z a.b", ["read /w/y", "read /w/z", "net a.b"]),
    ("curl --data-urlencode n@y --json @z a.b", ["read /w/y", "read /w/z", "net a.b"]),
    ("curl -F 'f=<y' file:///etc/passwd", ["read /w/y", "read /etc/passwd"]),
    ("curl -x p:1 --url a.b", ["net p:1", "net a.b"]),
    ("curl -d me@example.com a.b", ["net a.b"]),
    ("wget -O x https://a.b", ["write /w/x", "net https://a.b"]),
    ("wget --post-file=x a.b", ["read /w/x", "net a.b"]),
    ("ssh -p 22 u@h ls", ["net h"]),
    ("ssh -J j@k h", ["net k", "net h"]),
    ("nc h 80", ["net h"]),
    ("scp a u@h:b", ["net h", "read /w/a", "write /w/u@h:b"]),
    ("git clone https://a.b/c", ["net https://a.b/c"]),
    ("git clone git@h:c.git", ["net h"]),
    ("git clone ./x y", []),
    ("git fetch", ["net  ~"]),
    ("git push origin main", ["net  ~"]),
    ("git remote -v", []),
    ("git remote update", ["net  ~"]),
    ("git submodule status", []),
    ("git submodule update", ["net  ~"]),
    ("git -C x fetch https://a.b", ["read /w/x", "net https://a.b"]),
    ("git status", []),
    ("socat - TCP:h:80", ["net h"]),
    ("echo a.b", []),
    ("make a.b", []),
]


@pytest.mark.parametrize(("line", "expected"), ROWS)
def test_what_follows_from_a_command(line: str, expected: list[str]) -> None:
    found = [text for text in told(line) if not text.startswith(("exec", "?", "!"))]
    assert found == expected


@pytest.mark.parametrize(
    ("line", "guess"),
    [
        ("stranger customers/a", "?read /w/customers/a"),
        ("stranger --file=customers/a", "?read /w/customers/a"),
        ("stranger .env", "?read /w/.env"),
        ("stranger https://a.b/c", "?net https://a.b/c"),
        ("dig a.b", "?net a.b"),
        ("git show HEAD:.env", "?read /w/.env"),
        ('cat "$X/.env"', "?read /w/.env"),
        ("cat src/$x", "?read /w/src"),
        ("cd src; cat customers/a", "?read /w/customers/a"),
        ("curl --resolve a.b:443:1.2.3.4 a.b", "?net 1.2.3.4"),
    ],
)
def test_what_may_follow_is_a_guess(line: str, guess: str) -> None:
    assert guess in told(line)


def test_a_run_time_path_tells_its_beginning() -> None:
    assert told("cat src/$x /etc/$y")[1::2] == ["read /w/src/ ~", "read /etc/ ~"]


@pytest.mark.parametrize("name", sorted(OPERANDS))
def test_each_program_of_the_table_does_what_its_row_says(name: str) -> None:
    use = OPERANDS[name]
    tar = "-c " if "tar" in name else ""
    texts = told(f"{name} {tar}{'skip ' * use.skip}one two")
    if use.kind is None:
        assert not any(text.startswith(("read", "write", "delete")) for text in texts)
        return
    kinds = {use.kind.value, use.last.value if use.last else use.kind.value}
    assert {text.split()[0] for text in texts if text.endswith(("/one", "/two", "/one /", "/two /"))} <= kinds
    assert any("/w/one" in text for text in texts)
    for flag in use.reads.split():
        assert any(text.startswith("read /w/given") for text in told(f"{name} {flag} given x y"))
    for flag in use.writes.split():
        assert any(text.startswith("write /w/given") for text in told(f"{name} {flag} given x y"))
    for flag in () if tar else use.values.split():
        assert not any(
            "/w/given" in text for text in told(f"{name} {flag} given") if text[0] != "?" and flag != "+"
        )
