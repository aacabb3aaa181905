"""HTTP itself: heads, framing and connections, as odd clients and proxies send them; what monitoring asks."""

from replaying import wire
from replaying.scenes.models import chunked


def raw(world, note, data, answers=1, is_head=False):
    """Sends bytes, and writes down so many answers, and whether the connection is closed after them."""
    main = world.main
    with wire.Connection(main, 20) as connection:
        connection.send(data)
        for number in range(1, answers + 1):
            answer = connection.read(is_head)
            world.recorder.record(main, "RAW", note + (f" {number}" if answers > 1 else ""), None, [],
                data if number == 1 else None, answer)


def protocol(world):
    world.recorder.begin("HTTP")
    host = f"Host: {world.main.host}\r\n".encode()
    token = dict(world.recorder.callers["viewer"])["Authorization"]
    signed = host + f"Authorization: {token}\r\n".encode()
    key = world.path("{p}/apiKeys").encode()

    def get(line=b"GET /healthz HTTP/1.1", fields=host, body=b""):
        return line + b"\r\n" + fields + b"\r\n" + body

    def post(fields, body, path=b"/token"):
        return b"POST " + path + b" HTTP/1.1\r\n" + host + fields + b"\r\n" + body

    form = b"grant_type=nothing"
    for note, data in (
            ("plain", get()), ("no Host", get(fields=b"")), ("two Hosts", get(fields=host + host)),
            ("HTTP/1.0", get(b"GET /healthz HTTP/1.0", b"")),
            ("HTTP/1.0, kept", get(b"GET /healthz HTTP/1.0", b"Connection: keep-alive\r\n")),
            ("HTTP/2.0", get(b"GET /healthz HTTP/2.0")), ("HTTP/0.9", b"GET /healthz\r\n\r\n"),
            ("two blanks", get(b"GET  /healthz HTTP/1.1")), ("a tab", get(b"GET\t/healthz HTTP/1.1")),
            ("no version", get(b"GET /healthz")), ("LF only", b"GET /healthz HTTP/1.1\nHost: a\n\n"),
            ("folded field", get(fields=host + b"X-A: a\r\n b\r\n")), ("field without colon", get(fields=host + b"X-A\r\n")),
            ("blank before colon", get(fields=host + b"X-A : a\r\n")), ("bad name", get(fields=host + b"X A: a\r\n")),
            ("control character", get(fields=host + b"X-A: a\x01b\r\n")), ("zero byte", get(fields=host + b"X-A: a\x00b\r\n")),
            ("not ASCII", get(fields=host + b"X-A: \xff\xfe\r\n")), ("bad method", get(b"G(T /healthz HTTP/1.1")),
            ("large head", get(fields=host + b"X-A: " + b"a" * 9000 + b"\r\n")),
            ("very large head", get(fields=host + b"X-A: " + b"a" * 100_000 + b"\r\n")),
            ("many fields", get(fields=host + b"X-A: a\r\n" * 150)), ("long target", get(b"GET /" + b"a" * 9000 + b" HTTP/1.1")),
            ("many cookies", get(fields=host + b"Cookie: " + b"; ".join(b"a%d=b" % number for number in range(700)) + b"\r\n")),
            ("absolute target", get(b"GET http://elsewhere.example/healthz HTTP/1.1")),
            ("absolute target without a path", get(b"GET http://elsewhere.example HTTP/1.1")),
            ("target without a slash", get(b"GET healthz HTTP/1.1")), ("star", get(b"OPTIONS * HTTP/1.1")),
            ("CONNECT", get(b"CONNECT elsewhere.example:443 HTTP/1.1")), ("fragment", get(b"GET /healthz#a HTTP/1.1")),
            ("question mark", get(b"GET /healthz? HTTP/1.1")), ("bad escape", get(b"GET /healthz%2 HTTP/1.1")),
            ("bad escape in the query", get(b"GET /healthz?a=%zz HTTP/1.1")), ("not UTF-8", get(b"GET /%ff HTTP/1.1")),
            ("raw not ASCII", get(b"GET /\xc3\xa9 HTTP/1.1")), ("dots", get(b"GET /a/../healthz HTTP/1.1")),
            ("escaped dots", get(b"GET /a/%2e%2e/healthz HTTP/1.1")), ("escaped zero", get(b"GET /healthz%00 HTTP/1.1")),
            ("closed", get(fields=host + b"Connection: close\r\n")),
            ("upgrade", get(fields=host + b"Connection: Upgrade\r\nUpgrade: websocket\r\n")),
            ("body of GET", get(fields=host + b"Content-Length: 3\r\n", body=b"abc")),
            ("expects something", post(b"Expect: cake\r\nContent-Length: 0\r\n", b"")),
            ("two lengths", post(b"Content-Length: 3\r\nContent-Length: 4\r\n", b"abc")),
            ("length and chunks", post(b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n")),
            ("negative length", post(b"Content-Length: -1\r\n", b"")), ("no number", post(b"Content-Length: a\r\n", b"")),
            ("plus", post(b"Content-Length: +3\r\n", b"abc")),
            ("huge length", post(b"Content-Length: 99999999999999999999999\r\n", b"")), ("no length", post(b"", b"")),
            ("gzip transfer", post(b"Transfer-Encoding: gzip\r\n", b"")),
            ("two codings", post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n")),
            ("Chunked", post(b"Transfer-Encoding: Chunked\r\n", chunked(form, 5))),
            ("chunks", post(b"Transfer-Encoding: chunked\r\n", chunked(form, 5))),
            ("chunks with extension", post(b"Transfer-Encoding: chunked\r\n", b"3;a=b\r\nabc\r\n0\r\n\r\n")),
            ("trailer", post(b"Transfer-Encoding: chunked\r\n", b"3\r\nabc\r\n0\r\nX-A: b\r\n\r\n")),
            ("bad chunk", post(b"Transfer-Encoding: chunked\r\n", b"zz\r\nabc\r\n")),
            ("large chunk", post(b"Transfer-Encoding: chunked\r\n", b"FFFFFFFFFFFFFFFFF\r\nabc\r\n")),
            ("chunks of HTTP/1.0", b"POST /token HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            ("chunks beyond the limit", post(b"Transfer-Encoding: chunked\r\n", chunked(b"a" * 70_000, 70_000))),
            ("body beyond the limit", post(b"Content-Length: 70000\r\n", b"a" * 70_000)),
            ("empty lines before", b"\r\n\r\n" + get()),
            ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 40 + b"\r\n\r\n")):
        raw(world, note, data)
    raw(world, "two at once", get() + get(b"GET /nothing HTTP/1.1"), 2)
    raw(world, "two after each other, with bodies", post(b"Content-Length: 18\r\n", form) + post(b"Content-Length: 18\r\n", form),
        2)
    raw(world, "refused with a body", get(b"POST " + key + b" HTTP/1.1", signed + b"Content-Length: 2\r\n", b"{}"), 2)
    raw(world, "refused, expects 100",
        get(b"POST " + key + b" HTTP/1.1", signed + b"Content-Length: 2\r\nExpect: 100-continue\r\n"))
    raw(world, "kept after 404", get(b"GET /nothing HTTP/1.1") + get(), 2)
    raw(world, "HEAD", get(b"HEAD /hearth/v1/openapi.json HTTP/1.1"), is_head=True)
    raw(world, "cookies of others", get(b"GET /console/account HTTP/1.1", host + b"Cookie: a=b; hearth-session=x; =; ;;\r\n"))


def monitoring(world):
    world.recorder.begin("monitoring")
    for path in ("/healthz", "/readyz", "/metrics"):
        world.ask("GET", path, None)
        world.ask("HEAD", path, None)
    world.ask("GET", "/metrics", "viewer", headers=[("Accept-Encoding", "gzip")])
    for note, headers in (
            ("forwarded", [("X-Forwarded-For", "192.0.2.1")]), ("via", [("Via", "1.1 proxy")]),
            ("forwarded in another form", [("Forwarded", "for=192.0.2.1")]), ("real address", [("X-Real-IP", "192.0.2.1")]),
            ("origin", [("Origin", "https://app.example")])):
        world.ask("GET", "/metrics", None, headers=headers, note=note)
        world.ask("GET", "/readyz", None, headers=headers, note=note)
    fields = [("Host", "models.example")]
    for path in ("/metrics", "/readyz", "/", "/console/account"):
        answer = wire.exchange(world.main, wire.encode("GET", path, fields))
        world.recorder.record(world.main, "GET", path, None, fields, None, answer, "another Host")
    world.ask("GET", "/hearth/v1/openapi.json", None)
    world.ask("GET", "/hearth/v1/openapi.json", None, headers=[("Accept-Encoding", "gzip")], note="gzip")
    world.ask("GET", "/hearth/v1/openapi.json", None, headers=[("If-None-Match", "*")], note="If-None-Match")
    world.ask("GET", "/", None)
