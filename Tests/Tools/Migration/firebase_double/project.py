"""What the double's Firebase project contains."""

import base64
import datetime
import hashlib

PIECE = 1 << 20

def time(day, second=0):
    """RFC 3339 with microseconds, as Firebase writes the times of models."""
    return f"2026-{1 + day // 28 % 9:02}-{1 + day % 28:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:00.123456Z"


class Bytes:
    """The bytes of a model: a real model file, and padding of its own behind it, which readers of the format ignore."""

    def __init__(self, file, size, seed):
        self.head = file
        self.size = max(size, len(file) + 16)
        self.block = hashlib.shake_256(f"padding {seed}".encode()).digest(PIECE)
        digest = hashlib.sha256()
        md5 = hashlib.md5()
        for piece in self.pieces(0):
            digest.update(piece)
            md5.update(piece)
        self.sha256 = digest.hexdigest()
        self.md5 = base64.b64encode(md5.digest()).decode()

    def pieces(self, start):
        """From a byte on, in pieces of at most 1 MiB."""
        while start < self.size:
            if start < len(self.head):
                piece = self.head[start : start + PIECE]
            else:
                place = (start - len(self.head)) % PIECE
                piece = self.block[place : min(PIECE, place + self.size - start)]
            yield piece
            start += len(piece)


class Model:
    def __init__(self, project, number, data):
        self.number = number
        self.name = f"model-{number:03}" if number % 2 else f"Model_{number}"
        self.data = data
        self.is_published = number % 3 != 0
        self.tags = ["vision", f"team_{number % 4}"] if number % 2 else []
        self.object = f"models/{self.name} v1.tflite"
        self.has_place = True
        self.has_hash = True
        self.is_invalid = False
        self.is_locked = False
        self.project = project

    @property
    def bytes_by(self):
        """How an import gets the bytes: by the storage, only as a device does, or not at all."""
        if self.is_invalid:
            return None
        if self.has_place:
            return "storage"
        return "device" if self.is_published else None

    def resource(self):
        """A Model of the discovery document. False, zero and empty members are left out, as in all of Google's JSON."""
        identity = f"{self.project}{self.number}"
        resource = {
            "name": f"projects/{self.project}/models/{90000000 + self.number}",
            "displayName": self.name,
            "createTime": time(self.number),
            "updateTime": time(self.number, 60),
            "etag": hashlib.sha256(identity.encode()).hexdigest()[:20],
            "tfliteModel": {"sizeBytes": str(self.data.size)},
            # No document names it: clients must not fail on it.
            "deploymentHint": {"tier": "STANDARD"},
        }
        if self.tags:
            resource["tags"] = self.tags
        state = {}
        if self.is_published:
            state["published"] = True
        if self.is_invalid:
            state["validationError"] = {"code": 3, "message": "The file is not a TensorFlow Lite model."}
            resource["tfliteModel"].pop("sizeBytes")
        if state:
            resource["state"] = state
        if self.has_place:
            resource["tfliteModel"]["gcsTfliteUri"] = f"gs://{self.project}.appspot.com/{self.object}"
        else:
            resource["tfliteModel"]["automlModel"] = f"projects/1/locations/us-central1/models/ICN{self.number}"
        if self.has_hash and not self.is_invalid:
            resource["modelHash"] = self.data.sha256
        if self.is_locked:
            resource["activeOperations"] = [{"name": f"projects/{self.project}/operations/{self.number}"}]
        return resource


class Project:
    """Models, templates, experiments and rollouts of one project."""

    def __init__(self, options):
        self.id = options.project
        self.number = "123456789012"
        self.models = self._models(options)
        self.experiments = [self._experiment(number) for number in range(options.experiments)]
        self.rollouts = [self._rollout(number) for number in range(options.experiments // 4)]
        self.versions = {"firebase": options.versions, "firebase-server": options.versions // 10}

    def _models(self, options):
        files = [open(path, "rb").read() for path in options.model_file]
        models = []
        for number in range(options.models):
            # Sizes from a third to five thirds of the mean.
            share = options.model_bytes / options.models
            size = int(share * (1 + (number % 5 - 2) / 3))
            models.append(Model(self.id, number, Bytes(files[number % len(files)], size, number)))
        if len(models) >= 10:
            models[1].has_place = False  # published: only a device gets it
            models[3].has_place = False  # unpublished: nobody does
            models[5].is_invalid = True
            models[7].is_locked = True
            models[8].has_hash = False
        return models

    def template(self, namespace, number):
        """A RemoteConfig of the REST reference, with its version."""
        newest = self.versions[namespace]
        if namespace == "firebase-server":
            return {
                "conditions": [{"name": "half", "expression": "percent('seed') <= 50"}],
                "parameters": {"prompt": {"defaultValue": {"value": f"prompt {number}"},
                                          "conditionalValues": {"half": {"value": "other"}}, "valueType": "STRING"}},
                "version": self.version(namespace, number),
            }
        conditions = [
            {"name": "ios", "expression": "device.os == 'ios'", "tagColor": "BLUE"},
            {"name": "new app", "expression": "app.version.>=(['2.1.0'])", "tagColor": "TEAL"},
            {"name": "a tenth", "expression": "percent('x') <= 10"},
            {"name": "holidays", "expression": "dateTime >= dateTime('2026-12-20T00:00:00')"},
        ]
        parameters = {
            "greeting": {"defaultValue": {"value": f"hello {number}"}, "description": "Shown first", "valueType": "STRING",
                         "conditionalValues": {"ios": {"value": "hi"}, "holidays": {"value": "merry"}}},
            "limit": {"defaultValue": {"value": str(number)}, "valueType": "NUMBER"},
            "own": {"defaultValue": {"useInAppDefault": True}},
        }
        groups = {"screens": {"description": "Per screen", "parameters": {
            "start": {"defaultValue": {"value": "{\"a\": 1}"}, "valueType": "JSON",
                      "conditionalValues": {"new app": {"value": "{}"}}}}}}
        if number > newest - 5:
            conditions += [
                {"name": "fans", "expression": "app.audiences.inAtLeastOne(['fans', 'friends'])", "tagColor": "PINK"},
                {"name": "payers", "expression": "app.userProperty['plan'].exactlyMatches(['pro'])"},
                {"name": "weather", "expression": "app.weather == 'fine'"},
                {"name": "everyone", "expression": "true"},
            ]
            # No document names its kind of value and its type: clients must not fail on them.
            parameters["future"] = {"defaultValue": {"value": "a"}, "valueType": "VECTOR",
                                    "conditionalValues": {"everyone": {"mysteryValue": {"mysteryId": "1"}}}}
            parameters["greeting"]["conditionalValues"] |= {"fans": {"value": "hello fan"}}
            parameters["price"] = {"defaultValue": {"value": "1"}, "conditionalValues": {
                "payers": {"personalizationValue": {"personalizationId": "abc123"}},
                "a tenth": {"rolloutValue": {"rolloutId": "rollout_0", "value": "2", "percent": 10}}}}
            for experiment in self.experiments:
                if experiment["state"] in ("RUNNING", "DRAFT"):
                    identifier = experiment["name"].rsplit("/")[-1]
                    parameters[f"experiment_{identifier}"] = {"defaultValue": {"value": "old"}, "conditionalValues": {
                        "everyone": {"experimentValue": {"experimentId": identifier, "exposurePercent": 100, "variantValue": [
                            {"variantId": "0", "noChange": True}, {"variantId": "1", "value": "new"}]}}}}
        return {"conditions": conditions, "parameters": parameters, "parameterGroups": groups,
                "version": self.version(namespace, number)}

    def version(self, namespace, number):
        """A Version of the REST reference. Its number is text, as all 64-bit numbers."""
        # One a day, so that most are older than the 90 days for which servers keep versions.
        day = datetime.date(2026, 6, 1) - datetime.timedelta(days=self.versions[namespace] - number)
        version = {
            "versionNumber": str(number),
            "updateTime": f"{day}T12:{number % 60:02}:30.5Z",
            "updateUser": {"email": f"person{number % 3}@example.com", "name": "A Person",
                           "imageUrl": "https://example.com/face.png"},
            "updateOrigin": ["CONSOLE", "REST_API", "ADMIN_SDK_NODE", "GEMINI_ASSISTANT"][number % 4],
            "updateType": ["INCREMENTAL_UPDATE", "FORCED_UPDATE"][number % 2],
            "isLegacy": number == 1,
            "reviewState": "NOT_REQUIRED",
        }
        if number % 5 == 0:
            version |= {"updateType": "ROLLBACK", "rollbackSource": str(max(1, number - 2)), "description": "Back"}
        if not version["isLegacy"]:
            del version["isLegacy"]
        return version

    def _experiment(self, number):
        """As firebase-tools prints it."""
        state = ["RUNNING", "DRAFT", "STOPPED", "PENDING_REVIEW", "ROLLED_OUT"][number % 5]
        if number % 4 == 3:
            objective = {"isPrimary": True, "systemObjectiveDetails": {"objective": "total_revenue"}}
        else:
            objective = {"isPrimary": True, "customObjectiveDetails": {"event": f"bought_{number}", "countType": "NO_COUNT"}}
        experiment = {
            "name": f"projects/{self.number}/namespaces/firebase/experiments/{100 + number}",
            "definition": {
                "displayName": f"Experiment {number}: which greeting?",
                "service": "EXPERIMENT_SERVICE_REMOTE_CONFIG",
                "description": "A description",
                "objectives": {"activationEvent": {}, "eventObjectives": [objective]},
                "variants": [{"name": "Baseline", "weight": 1}, {"name": "Variant A", "weight": 2}],
                "origin": "CONSOLE",
            },
            "state": state, "lastUpdateTime": time(number), "etag": f"etag-{number}",
        }
        if state != "DRAFT":
            experiment["startTime"] = time(number)
        return experiment

    def _rollout(self, number):
        return {
            "name": f"projects/{self.number}/namespaces/firebase/rollouts/rollout_{number}",
            "definition": {"displayName": f"Rollout {number}", "service": "ROLLOUT_SERVICE_REMOTE_CONFIG",
                           "controlVariant": {"name": "Control", "weight": 90},
                           "enabledVariant": {"name": "Enabled", "weight": 10}},
            "state": "RUNNING", "createTime": time(number), "lastUpdateTime": time(number), "etag": f"etag-{number}",
        }

    def expected(self):
        """What a perfect import finds."""
        return {
            "models": [
                {"name": model.name, "tags": model.tags, "published": model.is_published, "sha256": model.data.sha256,
                 "sizeBytes": model.data.size, "bytesBy": model.bytes_by, "hasHash": model.has_hash}
                for model in self.models
            ],
            "versions": self.versions,
            "experiments": {item["name"].rsplit("/")[-1]: item["state"] for item in self.experiments},
            "rollouts": len(self.rollouts),
        }
