import HearthWire

/// What monitoring asks.
package enum MonitoringCalls {
    package static let live = Call<Lane.Now, NoBody, RawBody>(
        .get, "healthz", .anyone, .health,
        "Whether the process is alive.",
        answerMedia: "text/plain")

    package static let ready = Call<Lane.Now, NoBody, RawBody>(
        .get, "readyz", .anyone, .health,
        "Whether clients should send requests here.",
        answerMedia: "text/plain")

    package static let openAPI = Call<Lane.Now, NoBody, RawBody>(
        .get, "hearth/v1/openapi.json", .anyone, .health,
        "This description.",
        answerMedia: "application/json")
}
