"""`toolpost completion`: the script that lets a shell complete our commands and options."""

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit

EXAMPLES = options.examples(
    "toolpost completion bash > ~/.local/share/bash-completion/completions/toolpost",
    "toolpost completion zsh > ~/.zfunc/_toolpost",
    "toolpost completion fish > ~/.config/fish/completions/toolpost.fish",
)


@click.command("completion", epilog=EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print the completion script of a shell. Put it where your shell reads it."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    made = kind(ctx.find_root().command, {}, "toolpost", "_TOOLPOST_COMPLETE")
    show.out(made.source_template % made.source_vars())
    return Exit.OK
