"""Allow is narrow, deny is wide."""

import pytest
from tests.authorize.commands.shown import SCENE, allowed, denied

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.commands.matching import allows, catches

ALLOWED = [
    ("make lint", "make lint"),
    ("make lint", "/usr/bin/make lint"),
    ("make lint", "/opt/homebrew/bin/make lint"),
    ("make lint", "timeout 5 make lint"),
    ("make lint", "time nice -n 5 nohup make lint"),
    ("make lint", "stdbuf -oL setsid command make lint"),
    ("make lint", "bash -c 'make lint'"),
    ("make lint", "bash -euo pipefail -c 'make lint && make lint'"),
    ("make lint", "sh -lc 'make lint'"),
    ("make lint", "eval make lint"),
    ("make lint", "(make lint) | make lint"),
    ("cargo test *", "cargo test"),
    ("cargo test *", "cargo test -q --workspace name"),
    ("npm run test:*", "npm run test:unit"),
    ("git log *", "git log --oneline -n 5 src/a.py"),
    ("git log *", "git log -p -S needle"),
    ("ls *", "ls *.py"),
    ("./gradlew test", "./gradlew test"),
    ("git commit *", 'git commit -m "$(cat message)"'),
    ("git commit *", 'git commit --message="$MESSAGE"'),
    ("sudo systemctl *", "sudo systemctl status nginx"),
    ("sed -i *", "sed -i s/a/b/ x"),
    ("find * -delete", "find src -delete"),
    ("git log --output=*", "git log --output=x"),
    ("*", "sudo rm -rf x"),
    ("*", "find . -delete"),
    ("*", "cargo test --config evil.toml"),
    ("sed *", "sed -n '1,5p' a"),
    ("sed *", "sed -e 's/a/b/g' -e '/x/d' a"),
    ("rg *", "rg -n needle src"),
    ("tar *", "tar tvf a.tar"),
]


@pytest.mark.parametrize(("pattern", "line"), ALLOWED)
def test_what_a_rule_says_is_allowed(pattern: str, line: str) -> None:
    atoms = [atom for atom in line_atoms(line, SCENE) if atom.kind is Kind.EXEC and not atom.maybe]
    inner = [atom for atom in atoms if atom.words[0].text != "cat"]
    assert all(allows(pattern, atom) for atom in inner)
    assert inner


NOT_ALLOWED = [
    ("make lint", "make lint -j4"),
    ("make lint", "make"),
    ("make lint", "make 'lint x'"),
    ("make lint", "./make lint"),
    ("make lint", "/tmp/make lint"),
    ("make lint", "MAKE lint"),
    ("make lint", "sudo make lint"),
    ("make lint", "env make lint"),
    ("make lint", "xargs make lint"),
    ("make lint", "sudo timeout 5 make lint"),
    ("make lint", "$MAKE lint"),
    ("make lint", "m*ke lint"),
    ("make lint", "make $x"),
    ("make lint", "x=lint; make $x"),
    ("make lint", "make lint; make all"),
    ("make lint", "bash -ic 'make lint'"),
    ("make lint", "bash --rcfile x -c 'make lint'"),
    ("make lint", "bash -c 'make lint; psql'"),
    ("ma* lint", "make lint"),
    ("cargo test *", "cargo test $x"),
    ("cargo test *", "cargo -q test"),
    ("cargo test *", "cargo test --conf evil.toml"),
    ("npm run test:*", "npm run build"),
    ("git *", "git -C /x status"),
    ("git *", "git -c core.pager=x log"),
    ("git log *", "git log --output=x"),
    ("git log *", "git log --outp=x"),
    ("git diff *", "git diff --ext-diff"),
    ("rg *", "rg --pre ./x needle"),
    ("rg *", "rg --hostname-bin=./x needle"),
    ("sort *", "sort --compress-prog=./x a"),
    ("sort *", "sort -uo out a"),
    ("sed *", "sed -i s/a/b/ x"),
    ("sed *", "sed -ni 1p x"),
    ("sed *", "sed '1e id' x"),
    ("sed *", "sed 's/a/b/e' x"),
    ("sed *", "sed 's/a/b/w out' x"),
    ("sed *", "sed -e 1p -e 'w out' x"),
    ("sed *", "sed '1r /etc/passwd' x"),
    ("tar *", "tar xf a --checkpoint-act=exec=sh"),
    ("tar *", "tar cf a *"),
    ("find *", "find . -delete"),
    ("find *", "find . -execdir id ';'"),
    ("find *", "find . -fprintf x y"),
    ("awk *", "awk -f x y"),
    ("xargs *", "xargs cat"),
    ("env *", "env FOO=1"),
    ("less *", "less x"),
    ("python3 *", "python3 -c 1"),
    ("make *", "make SHELL=./x"),
    ("make *", "make -f x"),
    ("make *", "make -kf x"),
    ("ssh *", "ssh -oProxyCommand=id h"),
    ("bash *", "bash x.sh"),
    ("sudo systemctl *", "sudo rm x"),
]


@pytest.mark.parametrize(("pattern", "line"), NOT_ALLOWED)
def test_what_a_rule_does_not_say_is_not_allowed(pattern: str, line: str) -> None:
    assert not allowed(pattern, line)


DENIED = [
    ("psql *", "psql"),
    ("psql *", "/opt/pg/bin/psql -l"),
    ("psql *", "PSQL -l"),
    ("/usr/bin/psql *", "psql -l"),
    ("psql", "psql -l"),
    ("p*l *", "psql -l"),
    ("*", "anything"),
    ("git reset --hard *", "git reset --hard"),
    ("git reset --hard *", "git reset HEAD~3 --hard"),
    ("git reset --hard *", "git -C x reset --hard"),
    ("git reset --hard *", "git --git-dir=x -c a=b reset --hard"),
    ("git reset --hard *", "git --no-pager reset --har"),
    ("git push --force *", "git push -f"),
    ("git push --force *", "git push origin main --force-with-lease"),
    ("git push --force *", "git push -uf origin main"),
    ("git push --force *", "git push origin +main"),
    ("git push -f *", "git push --force"),
    ("git push --delete *", "git push origin :main"),
    ("git clean -fdx *", "git clean -x -d -f"),
    ("git clean -fdx *", "git clean -xdff --force"),
    ("git clean -f *", "git clean --force -d"),
    ("git branch -D *", "git branch -D x"),
    ("git branch -D *", "git branch --delete --force x"),
    ("git branch -D *", "git branch -df x"),
    ("git branch -d *", "git branch -D x"),
    ("git checkout --force *", "git checkout -f main"),
    ("git commit --no-verify *", "git commit -nm x"),
    ("rm -rf *", "rm -fr x"),
    ("rm -rf *", "rm -r -f x"),
    ("rm -rf *", "rm -R --force x"),
    ("rm -rf *", "rm x --recursive --force"),
    ("rm -rf *", "rm --rec --fo x"),
    ("rm --recursive --force *", "rm -vrf x"),
    ("rm -r *", "rm -fR x"),
    ("grm -rf *", "grm --recursive --force x"),
    ("find * -delete", "find . -name x -delete"),
    ("find -delete *", "find . -type f -delete"),
    ("terraform destroy *", "terraform -chdir=x destroy -auto-approve"),
    ("kubectl delete *", "kubectl -n prod delete pod x"),
    ("kubectl delete *", "kubectl --namespace=prod delete pod x"),
    ("kubectl -n prod delete *", "kubectl delete pod x --namespace prod"),
    ("docker push *", "docker -H tcp://x push y"),
    ("docker system prune *", "docker --context x system prune -a"),
    ("curl --output=x *", "curl u --output=x"),
    ("npm run deploy", "npm --silent run deploy"),
    ("npm run deploy", "npm run deploy -- --now"[:14]),
    ("make deploy", "make ./deploy"),
    ("make deploy", "make -j4 deploy"),
    ("make deploy", "make dep*"),
    ("sed -i *", "sed -ni.bak 1p x"),
    ("sed -i *", "sed --in-place=.bak 1p x"),
    ("cat x", "cat ./x"),
    ("git commit -m 'a b'", "git commit -m 'a b'"),
    ("echo 'un", 'echo "\'un"'),
    ("chmod --recursive *", "chmod -R 777 x"),
    ("tar -x -f *", "tar --extract --file a"),
    ("fd -x *", "fd a --exec id"),
]


@pytest.mark.parametrize(("pattern", "line"), DENIED)
def test_what_a_denied_pattern_may_mean_is_caught(pattern: str, line: str) -> None:
    assert denied(pattern, line)


NOT_DENIED = [
    ("psql *", "psqlx"),
    ("psql", "psql db"),
    ("git reset --hard *", "git reset --soft HEAD"),
    ("git reset --hard *", "git log --hard"),
    ("git push *", "git add push"),
    ("git push --force *", "git push origin main"),
    ("rm -rf *", "rm -r x"),
    ("rm -rf *", "rm -f x"),
    ("rm -rf *", "rm --force x"),
    ("make deploy", "make lint"),
    ("make deploy", "make deploy lint"),
    ("kubectl delete *", "kubectl get delete"),
    ("curl --output=x *", "curl --output=y u"),
    ("npm run deploy", "npm run"),
    ("psql *", "$x -l"),
]


@pytest.mark.parametrize(("pattern", "line"), NOT_DENIED)
def test_what_a_denied_pattern_does_not_mean_passes(pattern: str, line: str) -> None:
    assert not denied(pattern, line)


def test_atoms_that_are_no_commands_match_no_pattern() -> None:
    read = Atom(kind=Kind.READ, target="/w/psql")
    assert not allows("*", read)
    assert not catches("*", read)


def test_an_atom_without_words_is_covered_by_the_blanket_alone() -> None:
    bare = Atom(kind=Kind.EXEC, target="x")
    assert (allows("*", bare), allows("x", bare), catches("*", bare), catches("x", bare)) == (
        *(True, False, True, False),
    )


def test_a_guess_is_never_allowed_but_caught() -> None:
    guess = Atom(kind=Kind.EXEC, target="psql", words=(Word("psql"),), maybe=True)
    assert not allows("*", guess)
    assert catches("psql *", guess)


def test_a_program_without_a_name_is_not_caught() -> None:
    assert not catches("a *", Atom(kind=Kind.EXEC, target="/", words=(Word("/"),)))


def test_an_empty_pattern_is_a_blanket() -> None:
    assert allows("", Atom(kind=Kind.EXEC, target="x", words=(Word("x"),)))
