"""code-index-mcp as its server uses it, in its own environment: `index_cimcp.py build|search FOLDER`.

`build` makes its deep index and tells what it holds. `search` answers JSON lines `[pattern, is_regex]` with the
milliseconds each took: validation, its search tool, paging and the response it would send.
"""

import json
import logging
import sys
import time
from importlib import import_module
from types import SimpleNamespace
from typing import Any

LIMIT = 50


def build(folder: str) -> None:
    manager = import_module("code_index_mcp.indexing").DeepIndexManager()
    assert manager.set_project_path(folder)
    assert manager.build_index(force_rebuild=True)
    print(json.dumps(manager.get_index_stats(), default=str))


def search(folder: str) -> None:
    service = _service(folder)
    for line in sys.stdin:
        pattern, is_regex = json.loads(line)
        began = time.perf_counter()
        service.search_code(pattern, regex=is_regex, max_results=LIMIT)
        print((time.perf_counter() - began) * 1000, flush=True)


def _service(folder: str) -> Any:
    """It asks its context for nothing but these."""
    settings = import_module("code_index_mcp.project_settings").ProjectSettings(folder)
    held = SimpleNamespace(base_path=folder, settings=settings, file_count=0, file_watcher_service=None)
    context = SimpleNamespace(request_context=SimpleNamespace(lifespan_context=held))
    return import_module("code_index_mcp.services.search_service").SearchService(context)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    {"build": build, "search": search}[sys.argv[1]](sys.argv[2])
