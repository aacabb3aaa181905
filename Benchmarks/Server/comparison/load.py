"""The parts `answers` and `bytes`: Hearth and nginx under the same load."""

from comparison import nginx_server
from comparison.rounds import Contestant, measure

FIXED = "nginx, fixed body"


def answers(stage, rounds, seconds, connections=64):
    """`:download` by all installations in turn; nginx gets the same requests and answers with a body of the same size."""
    results = []
    for title, hearth, base in (
            (":download, plain HTTP", stage.hearth, stage.nginx.base), (":download, TLS", stage.hearth_secure, stage.nginx.tls_base)):
        known, unknown = stage.look_ups(hearth, stage.hash), stage.look_ups(hearth)
        contestants = [
            Contestant("Hearth, 304", hearth, hearth.base, known), Contestant("Hearth, 200", hearth, hearth.base, unknown),
            Contestant(FIXED, stage.nginx, base, unknown)]
        results.append(measure(title, "answers", contestants, FIXED, rounds, connections, seconds))
    return results


def transfers(stage, rounds, seconds, connections=16):
    """The bytes of the large model: by Hearth, by nginx that asks Hearth, and by nginx alone."""
    direct = Contestant("Hearth", stage.hearth, stage.hearth.base, stage.file_requests(stage.hearth, "file-direct"))
    alone = stage.single("file-alone", nginx_server.FILES + stage.large_hash)
    in_front = Contestant(
        "nginx in front of Hearth", stage.nginx, stage.nginx.base, stage.file_requests(stage.hearth_behind, "file-behind"))
    sendfile = Contestant("nginx, sendfile", stage.nginx, stage.nginx.base, alone)
    plain = measure(
        "model bytes, plain HTTP", "bytes", [direct, in_front, sendfile], sendfile.name, rounds, connections, seconds)
    secure = Contestant(
        "Hearth", stage.hearth_secure, stage.hearth_secure.base, stage.file_requests(stage.hearth_secure, "file-secure"))
    files = Contestant("nginx", stage.nginx, stage.nginx.tls_base, alone)
    tls = measure("model bytes, TLS", "bytes", [secure, files], files.name, rounds, connections, seconds)
    return [plain, tls]
