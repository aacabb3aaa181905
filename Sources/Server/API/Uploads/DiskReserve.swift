import HearthStorage
import HearthWire

/// Keeps a part of the disk free of uploads: on a full one no device could register and nobody could change anything.
struct DiskReserve: Sendable {
    private let blobs: any BlobStore
    private let reserveMebibytes: UInt64

    init(_ services: Services) {
        blobs = services.blobs
        reserveMebibytes = services.limits.diskReserveMebibytes
    }

    /// - Parameter bytes: how many are to come, as far as is known.
    /// - Throws: 507 where they would take from the reserve, or something has done so already.
    func check(for bytes: UInt64 = 0) throws {
        guard reserveMebibytes > 0 else { return }
        let free = try blobs.freeBytes()
        let (reserve, isTooMuch) = reserveMebibytes.multipliedReportingOverflow(by: 1 << 20)
        guard isTooMuch || free < reserve || bytes > free - reserve else { return }
        let need = bytes == 0 ? "no more can be taken" : "this upload needs \(bytes.mebibytesRoundedUp) MiB more"
        throw APIError(
            .resourceExhausted,
            """
            The server's disk has \(free >> 20) MiB free and keeps \(reserveMebibytes) MiB of it in reserve; \(need). \
            Free some space, for example by cancelling unfinished uploads (hearth models uploads).
            """, httpStatus: 507)
    }
}

/// The room for one request's bytes, looked at again and again while they come.
struct DiskReserveMonitor {
    private let diskReserve: DiskReserve
    private var unseenBytes: UInt64 = 0

    private static let stepBytes: UInt64 = 1 << 20

    init(_ diskReserve: DiskReserve) { self.diskReserve = diskReserve }

    /// - Throws: 507 where the reserve is no longer whole.
    mutating func add(_ count: Int) throws {
        unseenBytes += UInt64(count)
        guard unseenBytes >= Self.stepBytes else { return }
        unseenBytes = 0
        try diskReserve.check()
    }
}

extension UInt64 {
    fileprivate var mebibytesRoundedUp: UInt64 { (self >> 20) + (self & 0xF_FFFF == 0 ? 0 : 1) }
}
