import HearthHTTP
import HearthRouting
import HearthWire

/// One device's update stream: a JSON array that is written message by message. Each message is one piece and ends with
/// a line break, because clients read by pieces or by lines.
struct DeviceStream {
    /// The installation that waits, and its project.
    struct Device: Hashable {
        let projectID: String
        /// The installation's id.
        let fid: String
    }

    let device: Device
    let caller: StreamAdmission.Caller
    let beganSeconds: Int64
    /// The newest version that the device knows of.
    private(set) var knownVersion: Int64
    private let stream: ResponseStream
    private var hasMessages = false

    init(
        stream: ResponseStream, device: Device, caller: StreamAdmission.Caller, beganSeconds: Int64, knownVersion: Int64
    ) {
        self.stream = stream
        self.device = device
        self.caller = caller
        self.beganSeconds = beganSeconds
        self.knownVersion = knownVersion
        stream.write(Array("[".utf8))
    }

    /// Has no effect if the device knows the version.
    mutating func announce(_ number: Int64) {
        guard number > knownVersion else { return }
        knownVersion = number
        // Flat and minimal, because clients search it for single words.
        stream.write(Array("\(hasMessages ? ",\r\n" : ""){\"latestTemplateVersionNumber\":\"\(number)\"}\r\n".utf8))
        hasMessages = true
    }

    /// The version is announced again, and those after it.
    mutating func forget(from number: Int64) { knownVersion = min(knownVersion, number - 1) }

    func keepAlive() { stream.write(Array("\r\n".utf8)) }

    func end() {
        stream.write(Array("]".utf8))
        stream.end()
    }
}
