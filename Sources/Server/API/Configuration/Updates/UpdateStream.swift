import HearthHTTP

/// One device's stream of news: a JSON array that is written piece by piece, each message in one piece with a line's end
/// behind it, because clients read by pieces or by lines.
struct UpdateStream {
    struct Device: Hashable {
        let projectID: String
        /// The installation's.
        let fid: String
    }

    let device: Device
    let caller: StreamPlaces.Caller
    let beganSeconds: Int64
    /// The newest version that the device knows of.
    private(set) var knownVersion: Int64
    private let stream: ResponseStream
    private var hasMessages = false

    init(
        stream: ResponseStream, device: Device, caller: StreamPlaces.Caller, beganSeconds: Int64, knownVersion: Int64
    ) {
        self.stream = stream
        self.device = device
        self.caller = caller
        self.beganSeconds = beganSeconds
        self.knownVersion = knownVersion
        stream.write(Array("[".utf8))
    }

    /// No effect where the device knows of it.
    mutating func announce(_ number: Int64) {
        guard number > knownVersion else { return }
        knownVersion = number
        // Flat, and with nothing that is not needed: clients look for single words in it.
        stream.write(Array("\(hasMessages ? ",\r\n" : ""){\"latestTemplateVersionNumber\":\"\(number)\"}\r\n".utf8))
        hasMessages = true
    }

    func keepAlive() { stream.write(Array("\r\n".utf8)) }

    func end() {
        stream.write(Array("]".utf8))
        stream.end()
    }
}
