import HearthStorage
import HearthWire

/// Keeps a part of the disk free of uploads: on a full disk, devices could not register and administrators could not
/// make changes.
package struct DiskReserve: Sendable {
    private let blobs: any BlobStore
    private let reserveMebibytes: UInt64

    package init(_ services: Services) {
        blobs = services.blobs
        reserveMebibytes = services.limits.diskReserveMebibytes
    }

    /// - Parameter bytes: how many are expected, as far as known.
    /// - Throws: 507 if they would use the reserve, or if the reserve is in use already.
    package func check(for bytes: UInt64 = 0) throws {
        guard reserveMebibytes > 0 else { return }
        let (wanted, isTooMuch) = reserveBytes.addingReportingOverflow(bytes)
        let free = try blobs.freeBytes(wanted: isTooMuch ? .max : wanted)
        guard isUsed(free) || bytes > free - reserveBytes else { return }
        let need = bytes == 0 ? "it accepts no more bytes" : "this upload needs \(bytes.mebibytesRoundedUp) MiB more"
        throw APIError(
            .resourceExhausted,
            """
            The server's disk has \(free >> 20) MiB free and keeps \(reserveMebibytes) MiB of it in reserve; \(need). \
            Free some space, for example by cancelling unfinished uploads (hearth models uploads).
            """, httpStatus: 507)
    }

    /// What an operator should know while the reserve is in use, and the server takes no upload; nil otherwise.
    package var note: String? {
        guard reserveMebibytes > 0, let free = try? blobs.freeBytes() else { return nil }
        // Copies give way to uploads.
        guard isUsed(free + (blobs.remoteStoreUse?.cacheBytes ?? 0)) else { return nil }
        return """
            the disk has \(free >> 20) MiB free and keeps \(reserveMebibytes) MiB of it in reserve; devices are answered, and \
            uploads are refused
            """
    }

    private var reserveBytes: UInt64 {
        let (bytes, isTooMuch) = reserveMebibytes.multipliedReportingOverflow(by: 1 << 20)
        return isTooMuch ? .max : bytes
    }

    private func isUsed(_ free: UInt64) -> Bool { free < reserveBytes }
}

/// Checks the disk reserve repeatedly while the bytes of one request arrive.
package struct DiskReserveMonitor {
    private let diskReserve: DiskReserve
    private var unseenBytes: UInt64 = 0

    private static let stepBytes: UInt64 = 1 << 20

    package init(_ diskReserve: DiskReserve) { self.diskReserve = diskReserve }

    /// - Throws: 507 if the reserve is in use.
    package mutating func add(_ count: Int) throws {
        unseenBytes += UInt64(count)
        guard unseenBytes >= Self.stepBytes else { return }
        unseenBytes = 0
        try diskReserve.check()
    }
}

extension UInt64 {
    fileprivate var mebibytesRoundedUp: UInt64 { (self >> 20) + (self & 0xF_FFFF == 0 ? 0 : 1) }
}
