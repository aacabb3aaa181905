"""What devices ask for their configuration with: the bodies of the iOS, Android and web clients, in turn."""

import gzip
import json

from comparison import wrk
from comparison.templates import COUNTRIES, LANGUAGES, PLANS


def fetch(server, keys, token, number, known=None, more=None):
    """The whole request of the installation with that number; `known` is the ETag of what it has already, `more` has further
    fields."""
    client = (ios, android, web)[number % 3]
    fields, body = client(keys, token, facts(number))
    if known:
        fields["If-None-Match"] = known
    return wrk.post(target(keys), server.host, {"Content-Type": "application/json", **fields, **(more or {})}, body)


def target(keys):
    return f"/v1/projects/{keys.project}/namespaces/firebase:fetch?key={keys.api_key}"


def facts(number):
    """Whatever differs between installations, spread by strides that have nothing to do with each other."""
    return {
        "country": COUNTRIES[number % len(COUNTRIES)], "language": LANGUAGES[number // 3 % len(LANGUAGES)],
        "version": f"{1 + number // 7 % 3}.{number // 5 % 12}.{number % 9}",
        "properties": {"group": f"g{number // 11 % 40}x"},
        "signals": {
            "level": str(number // 13 % 101), "plan": PLANS[number // 17 % len(PLANS)],
            "device": f"pixel {number // 19 % 60}a"},
    }


def ios(keys, token, device):
    """Bare names and texts in single quotes, but JSON for the last two; compressed."""
    members = {
        "app_instance_id_token": token, "app_id": keys.app_id, "country_code": device["country"],
        "language_code": device["language"], "platform_version": "18.1", "time_zone": "Europe/Zurich",
        "package_name": "com.example.bench", "app_version": device["version"], "app_build": "7", "sdk_version": "11.0.0"}
    text = ", ".join(f"{name}:'{value}'" for name, value in members.items())
    text += f", analytics_user_properties:{json.dumps(device['properties'])}, custom_signals:{json.dumps(device['signals'])}"
    fields = {
        "Content-Encoding": "gzip", "x-ios-bundle-identifier": "com.example.bench",
        "x-goog-firebase-installations-auth": token}
    return fields, gzip.compress(f"{{{text}}}".encode(), mtime=0)


def android(keys, token, device):
    body = {
        "appInstanceIdToken": token, "appId": keys.app_id, "countryCode": device["country"],
        "languageCode": device["language"], "platformVersion": "34", "timeZone": "Europe/Zurich",
        "appVersion": device["version"], "appBuild": "7", "packageName": "com.example.bench", "sdkVersion": "22.0.0",
        "analyticsUserProperties": device["properties"], "customSignals": device["signals"]}
    return {"X-Android-Package": "com.example.bench", "X-Goog-Firebase-Installations-Auth": token}, json.dumps(body).encode()


def web(keys, token, device):
    """Pages say less of themselves, and have the token in the body only."""
    body = {
        "sdk_version": "12.0.0", "app_instance_id_token": token, "app_id": keys.app_id,
        "language_code": device["language"], "custom_signals": device["signals"]}
    return {}, json.dumps(body).encode()
