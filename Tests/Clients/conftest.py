"""A server of its own for each test that asks for one, and the stock packages pointed at it."""

import pathlib
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PACKAGE / "Examples/python"))

import firebase_admin  # noqa: E402
import hearth_firebase  # noqa: E402
from driving import Device, OutgoingCalls, Server  # noqa: E402
from firebase_admin import ml  # noqa: E402
from google.oauth2 import service_account  # noqa: E402


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path / "data")
    yield server
    server.stop()


@pytest.fixture
def outgoing(monkeypatch):
    """What the packages would say to the rest of the world: nothing gets there."""
    calls = OutgoingCalls()
    monkeypatch.setenv("HTTPS_PROXY", calls.url)
    monkeypatch.setenv("HTTP_PROXY", calls.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    yield calls
    calls.stop()


@pytest.fixture
def restored(monkeypatch):
    """Puts back afterwards what pointing the packages at a server changes."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "")
    for owner, name in [
        (ml._MLService, "PROJECT_URL"),
        (ml._MLService, "OPERATION_URL"),
        (service_account.Credentials, "_is_regional_access_boundary_lookup_required"),
    ]:
        monkeypatch.setattr(owner, name, getattr(owner, name))


@pytest.fixture
def app(server, outgoing, restored):
    app = hearth_firebase.initialize_app(server.admin_key)
    yield app
    firebase_admin.delete_app(app)


@pytest.fixture
def device(server):
    return Device(server)


@pytest.fixture
def digits():
    return PACKAGE / "Models/digits-labeler/model.tflite"


@pytest.fixture
def other_digits():
    return PACKAGE / "Models/digits-labeler-2/model.tflite"


@pytest.fixture
def detector():
    """With other inputs and outputs than the digits have."""
    return PACKAGE / "Models/digits-detector/model.tflite"
