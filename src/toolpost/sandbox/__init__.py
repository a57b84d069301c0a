"""Where commands run: behind the strongest fence this machine has, which every result names.

`pick` chooses and starts; `model` says what goes in and comes out.
"""
