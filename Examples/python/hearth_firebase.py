"""Points the stock firebase-admin package at a Hearth server.

    import hearth_firebase
    from firebase_admin import ml

    hearth_firebase.initialize_app("hearth-data/credentials/admin-service-account.json")
    source = ml.TFLiteGCSModelSource.from_tflite_model_file("flowers.tflite")
    model = ml.create_model(ml.Model("flowers", model_format=ml.TFLiteFormat(model_source=source)))
    ml.publish_model(model.model_id)

Copy this file beside your script; everything else of the script stays as it is. It needs firebase-admin 7 and
google-cloud-storage 3, neither of them changed.

A server whose certificate comes from a certificate authority of your own: set REQUESTS_CA_BUNDLE to that authority's
PEM file before the script starts. All calls of these packages to the server honour it.
"""

import json
import os

import firebase_admin
from firebase_admin import credentials, ml, remote_config
from google.oauth2 import service_account


def initialize_app(key_file, options=None, name="[DEFAULT]"):
    """Makes the app with which the functions of `firebase_admin.ml` and `firebase_admin.remote_config` reach the Hearth
    server.

    key_file: `admin-service-account.json`, as the server writes it or `hearth keys account create` makes it. The
        server's address is in it.
    options: those of `firebase_admin.initialize_app`. `storageBucket` is the project's own bucket unless given.
    name: of the app. All apps of one process talk to the same server.
    """
    with open(key_file, encoding="utf-8") as file:
        key = json.load(file)
    server = key["hearth_url"].rstrip("/")
    # The management calls: class attributes, because firebase-admin has no public setting for them.
    ml._MLService.PROJECT_URL = server + "/v1beta2/projects/{0}/"
    ml._MLService.OPERATION_URL = server + "/v1beta2/"
    # The uploads: google-cloud-storage sends them to this address, with the same credentials as everything else.
    os.environ["STORAGE_EMULATOR_HOST"] = server
    keep_tokens_home(key["token_uri"])
    defaults = {"projectId": key["project_id"], "storageBucket": key["project_id"] + ".hearth"}
    app = firebase_admin.initialize_app(credentials.Certificate(key), {**defaults, **(options or {})}, name)
    # Server templates: the app's own service, because its address is written inside its constructor.
    templates = app._get_service(remote_config._REMOTE_CONFIG_ATTRIBUTE, remote_config._RemoteConfigService)
    templates._client._base_url = server
    return app


def keep_tokens_home(token_uri):
    """Keeps google-auth from showing the server's access tokens to Google.

    In the background google-auth asks iamcredentials.googleapis.com where an account's requests may come from, with
    the account's email and access token, whoever issued them. This leaves the question out for accounts of the Hearth
    server only. Versions of google-auth without the question are left as they are.
    """
    name = "_is_regional_access_boundary_lookup_required"
    original = getattr(service_account.Credentials, name, None)
    if original is None:
        return

    def is_required(self):
        return self._token_uri != token_uri and original(self)

    setattr(service_account.Credentials, name, is_required)
