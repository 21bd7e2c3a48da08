"""Runs a Python tool with the JSON of the first argument. The result goes to the file LLM_OUTPUT, or to stdout."""

import importlib.util
import json
import os
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run_tool(name):
    if len(sys.argv) < 2:
        sys.exit("No JSON data")
    os.environ["LLM_ROOT_DIR"] = root
    os.environ["LLM_TOOL_NAME"] = name
    os.environ["LLM_TOOL_CACHE_DIR"] = os.path.join(root, "cache", name)
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location(name, os.path.join(root, "tools", f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.run(**json.loads(sys.argv[1]))
    if result is None:
        return
    text = result if isinstance(result, str) else json.dumps(result, indent=2, ensure_ascii=False)
    if os.environ.get("LLM_OUTPUT"):
        with open(os.environ["LLM_OUTPUT"], "w", encoding="utf-8") as output:
            output.write(text)
    else:
        print(text)
