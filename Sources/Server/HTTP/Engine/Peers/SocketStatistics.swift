internal import CMicroHTTPD
internal import Glibc

/// What the kernel knows about a connection's bytes.
struct SocketStatistics: Equatable {
    /// Bytes received from the peer so far.
    var receivedBytes: UInt64
    /// How many of these the server has not read yet.
    var unreadBytes: Int
    /// Bytes sent so far and confirmed by the peer's machine.
    var confirmedBytes: UInt64
    /// Whether bytes wait for the peer: not sent yet, or not confirmed.
    var waitForPeer: Bool
    /// Whether the peer has closed the connection or its sending side.
    var hasPeerEnded = false

    /// Whether nothing follows what the server has read.
    var isReadToEnd: Bool { hasPeerEnded && unreadBytes == 0 }
}

extension SocketStatistics {
    /// Statistics of an open socket; `nil` if the system does not say.
    ///
    /// `struct tcp_info` cannot be included beside the C library's older one. Its offsets are part of the kernel's
    /// stable interface.
    init?(socket: Int32) {
        let option = Int32(11)
        let facts = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { info -> SocketStatistics? in
            var size = socklen_t(info.count)
            guard getsockopt(socket, Int32(IPPROTO_TCP), option, info.baseAddress, &size) == 0,
                Int(size) >= Place.notSentBytes + MemoryLayout<UInt32>.size
            else { return nil }
            let unconfirmed = info.load(fromByteOffset: Place.unconfirmedSegments, as: UInt32.self)
            let notSent = info.load(fromByteOffset: Place.notSentBytes, as: UInt32.self)
            return SocketStatistics(
                receivedBytes: info.load(fromByteOffset: Place.receivedBytes, as: UInt64.self),
                unreadBytes: 0,
                confirmedBytes: info.load(fromByteOffset: Place.confirmedBytes, as: UInt64.self),
                waitForPeer: unconfirmed > 0 || notSent > 0,
                hasPeerEnded: info.load(fromByteOffset: Place.state, as: UInt8.self) == Self.closeWait)
        }
        var unread: Int32 = 0
        guard let facts, ioctl(socket, UInt(FIONREAD), &unread) == 0 else { return nil }
        self = facts
        unreadBytes = Int(unread)
    }

    /// `TCP_CLOSE_WAIT`: the peer has closed, and this side has not.
    private static let closeWait: UInt8 = 8

    /// Offsets in `struct tcp_info`, in bytes.
    private enum Place {
        static let state = 0
        static let unconfirmedSegments = 24
        static let confirmedBytes = 120
        static let receivedBytes = 128
        static let notSentBytes = 144
    }
}
