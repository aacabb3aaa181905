"""Images of models, rehearsals, tries."""

import json

from replaying.scenes.models import create, publish, send
from replaying.world import FIXTURES, MODELS, model_file

EXAMPLES = MODELS / "digits-labeler/examples"
IMAGES = (("3-a.png", "3"), ("5-b.jpg", "5"), ("7-a.png", "7"))


def images(world):
    world.recorder.begin("images")
    model = world.things["digits"] = create(world, "digits", world.packed)
    publish(world, model)
    path = "{p}/models/{digits}/images"
    world.ask("GET", path, "publisher", note="none")
    for name, label in IMAGES:
        world.ok("PUT", f"{path}/{name}?label={label}", "publisher", body=(EXAMPLES / name).read_bytes())
    data = (EXAMPLES / "3-a.png").read_bytes()
    world.ok("PUT", path + "/3-a.png?label=3", "publisher", body=data, note="again")
    world.ok("PUT", path + "/extra.png", "publisher", body=data, note="without a label")
    world.ok("PUT", path + "/extra.png?label=", "publisher", body=b"not an image", note="replaced")
    for name in ("..", "a%2Fb.png", "n" * 300 + ".png", "%00", "caf%C3%A9.png", "x.png?label=" + "l" * 300, "x.png?label=a%0Ab"):
        world.ask("PUT", f"{path}/{name}", "publisher", body=data)
    world.ask("PUT", path + "/empty.png", "publisher", body=b"")
    world.ask("PUT", path + "/large.png", "publisher", headers=[("Content-Length", str(1 << 30))], note="1 GiB announced")
    world.ok("GET", path, "publisher")
    world.things["image"] = "3-a.png"
    answer = world.ask("GET", path + "/3-a.png", "publisher")
    for name, value in (("If-None-Match", answer.header("ETag")), ("Range", "bytes=0-9"), ("Range", "bytes=99999999-")):
        world.ask("GET", path + "/3-a.png", "publisher", headers=[(name, value)], note=f"{name}: {value}")
    world.ask("HEAD", path + "/3-a.png", "publisher")
    world.ask("GET", path + "/nothing.png", "publisher")
    world.ok("DELETE", path + "/extra.png", "publisher")
    world.ask("DELETE", path + "/extra.png", "publisher", note="again")


def rehearsals(world):
    world.recorder.begin("rehearsals")
    path = "{p}/models/{digits}/rehearsals"
    world.ask("GET", path, "publisher", note="none")
    world.ask("POST", path, "publisher", json={}, note="too few images")
    for label in range(10):
        for number in range(2):
            data = (FIXTURES / f"rehearsal/images/{label}/{number:02}.jpg").read_bytes()
            world.look("PUT", f"{{p}}/models/{{digits}}/images/{label}-{number}.jpg?label={label}", "publisher", body=data)
    source = send(world, "worse.tflite", model_file("Tests/Fixtures/rehearsal/worse-class/model.tflite"))
    world.ok("POST", "{p}/models/{digits}/versions", "publisher", json={"source": source})
    source = send(world, "second.tflite", model_file("Models/digits-labeler-2/model.tflite"))
    world.ok("POST", "{p}/models/{digits}/versions", "publisher", json={"source": source}, note="third")

    def rehearse(note, body):
        """Whether it runs already when the answer is made depends on the machine, so its end is written down."""
        answer = world.look("POST", path, "publisher", json=body)
        world.until("the end of a rehearsal", lambda: world.look(
            "GET", f"{path}/{answer['rehearsal']}", "publisher")["state"] not in ("queued", "waiting", "running"))
        return world.ask("POST", path, "publisher", json={**body, "again": False}, note=note)

    # The server begins with the newest version by itself, some seconds after the last image.
    rehearse("newest version", {})
    first = rehearse("second version", {"version": 2})
    rehearse("against the second", {"version": 3, "against": 2})
    world.things["rehearsal"] = json.loads(first.body)["rehearsal"]
    world.ok("GET", path + "/{rehearsal}", "publisher")
    world.ok("GET", path, "publisher")
    for note, body in (("unknown", {"version": 9}), ("unknown other", {"version": 2, "against": 9}),
            ("itself", {"version": 1, "against": 1})):
        world.ask("POST", path, "publisher", json=body, note=note)
    world.ask("POST", "{p}/models/{model}/rehearsals", "publisher", json={}, note="without images")
    world.ok("PATCH", "{ml}/{digits}?updateMask=hearth.rehearsalRequire", "publisher",
        json={"hearth": {"rehearsalRequire": "agreement=99%,accuracy=-1%"}})
    world.ok("GET", path + "/{rehearsal}", "publisher", note="with a gate")
    world.ok("GET", "{ml}/{digits}", "publisher")


def tries(world):
    world.recorder.begin("tries")
    path = "{p}/models/{digits}/versions/"
    image = (EXAMPLES / "7-a.png").read_bytes()
    for version in ("1", "2", "3?threshold=0.5", "3?threshold=1", "3?threshold=2", "3?threshold=x", "9", "nobody", "0"):
        name, _, query = version.partition("?")
        world.ask("POST", f"{path}{name}:try" + ("?" + query if query else ""), "viewer", body=image)
    world.ask("POST", path + "1:try", "viewer", body=b"", note="no image")
    world.ask("POST", path + "1:try", "viewer", body=b"not an image", note="not an image")
    world.ask("POST", path + "1:try", "viewer", body=image[:100], note="a part of an image")
    world.ask("POST", path + "1:try", "viewer", headers=[("Content-Length", str(1 << 30))], note="1 GiB announced")
    world.ask("POST", "{p}/models/{model}/versions/1:try", "viewer", body=image, note="not a model of images")
    world.ask("POST", path + "1:try", "stranger", body=image)
    detector = create(world, "detector", send(world, "detector.tflite", model_file("Models/digits-detector/model.tflite")))
    world.ask("POST", f"{{p}}/models/{detector}/versions/1:try", "viewer",
        body=(MODELS / "digits-detector/examples/three.png").read_bytes())
    # The server rehearses no version that is released, whatever becomes of the images.
    publish(world, world.things["digits"])
