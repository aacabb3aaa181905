-- wrk sends the requests of a file in turn, each thread from a place of its own, and prints what it saw as one JSON line.
-- The file holds whole requests, each behind a line with its length: nothing is put together while the clock runs.
-- A second argument is the mean pause of a connection before each request, in milliseconds; without one there is no pause.

local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

function init(arguments)
    requests = {}
    local file = assert(io.open(arguments[1], "rb"))
    local length = file:read("*n")
    while length do
        file:read(1)
        requests[#requests + 1] = file:read(length)
        length = file:read("*n")
    end
    file:close()
    turn = number * math.floor(#requests / 2)
    local pause = tonumber(arguments[2] or 0)
    if pause > 0 then
        math.randomseed(number + 1)
        function delay() return math.random(0, 2 * pause) end
    end
end

function request()
    turn = turn % #requests + 1
    return requests[turn]
end

-- An answer that took longer than wrk waits is slow, and neither refused nor broken.
function done(summary, latency, _)
    local errors = summary.errors
    print(string.format(
        '{"answers": %d, "bytes": %.0f, "microseconds": %d, "p50": %d, "p99": %d, "refused": %d, "broken": %d}',
        summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
        errors.status, errors.connect + errors.read + errors.write))
end
