"""The notebook of the guide runs, and shows frames and the memory timeline."""

import pathlib

import nbclient
import nbformat

NOTEBOOK = pathlib.Path(__file__).parents[1] / "examples" / "quickstart.ipynb"


def test_notebook_runs_and_shows_frames_and_memory():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    # An exception in a cell is one of the client's.
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output["data"] for output in outputs if "data" in output]
    frames = [data["text/html"] for data in shown if "text/html" in data]
    assert len(frames) >= 3 and "Zürich" in frames[1]
    assert sum("image/svg+xml" in data for data in shown) == 1
    assert not any(output.output_type == "error" for output in outputs)
