// The public interface of HearthDeliveryTesting. Written by scripts/api; do not edit.

public typealias DeviceFilter = @Sendable (HearthApp.DeviceDescription) -> Bool
public struct DiskFault : Sendable, CustomStringConvertible {
    public let description: String
    public static func full(afterBytes count: Int = 0) -> DiskFault
    public static func almostFull(freeBytes count: Int) -> DiskFault
    public static let readOnly: DiskFault
    public static let broken: DiskFault
}
final public class FakeClock : Sendable {
    public init(secondsSince1970: Double = 1_767_225_600)
    public var secondsSince1970: Double { get }
    public var waits: [Double] { get }
    public func advance(bySeconds seconds: Double)
    public func setTimeOfDay(secondsSince1970 seconds: Double)
}
final public class HeldRequest : Sendable {
    deinit
    public func waitUntilReached() async
    public func release()
}
public struct HostFault : Sendable, CustomStringConvertible {
    public let description: String
}
extension HostFault {
    public static let offline: HostFault
    public static let nameNotFound: HostFault
    public static let notSecure: HostFault
    public static let timeout: HostFault
    public static func disconnect(afterBytes count: Int) -> HostFault
    public static func stall(afterBytes count: Int) -> HostFault
    public static func slow(bytesPerSecond rate: Int) -> HostFault
}
extension HostFault {
    public static func status(_ status: Int, retryAfterSeconds: Int? = nil) -> HostFault
    public static func redirect(to url: String) -> HostFault
    public static let captivePortal: HostFault
    public static let endless: HostFault
    public static let expiredLink: HostFault
}
extension HostFault {
    public static func alterByte(at position: Int) -> HostFault
    public static func truncate(to count: Int) -> HostFault
    public static let wrongHash: HostFault
    public static let wrongLength: HostFault
}
final public class ModelHost : Sendable {
    public enum RequestKind : Sendable, Hashable, CaseIterable {
        case installation
        case info
        case file
        case events
    }
    public let serverURL: String
    public let linkURL: String
    public let clock: FakeClock
    public init(serverURL: String = "https://models.example.com", linkURL: String = "https://files.example.net", clock: FakeClock = FakeClock())
}
extension ModelHost {
    public func publish(_ bytes: Data, as name: String, where condition: @escaping DeviceFilter = { _ in true })
    public func publish(contentsOfFile path: String, as name: String, where condition: @escaping DeviceFilter = { _ in true }) throws
    public func rollBack(_ name: String)
    public func unpublish(_ name: String)
    public var linkLifetimeSeconds: Int
    public func forgetInstallations()
}
extension ModelHost {
    public func requestCount(_ kind: ModelHost.RequestKind) -> Int
    public var lastDescription: HearthApp.DeviceDescription? { get }
    public var bytesSent: Int { get }
}
extension ModelHost {
    public func fail(_ kind: ModelHost.RequestKind, with fault: HostFault, times: Int? = 1)
    public func endFaults()
    public func hold(_ kind: ModelHost.RequestKind, afterBytes: Int = 0) -> HeldRequest
    public func goOffline()
}
final public class TestDevice : Sendable {
    public let host: ModelHost
    public let clock: FakeClock
    public let disk: TestDisk
    public let app: HearthApp.FirebaseApp
    public var downloader: HearthDelivery.ModelDownloader { get }
    public convenience init(host: ModelHost = ModelHost(), clock: FakeClock? = nil, name: String? = nil, isDefaultApp: Bool = false, sharingStoreOf other: TestDevice? = nil, callbackQueue: DispatchQueue? = nil, options change: (HearthApp.FirebaseOptions) -> Void = { _ in }) throws(TestDeviceError)
    deinit
}
public struct TestDeviceError : LocalizedError, Sendable, CustomStringConvertible {
    public struct Code : RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String)
        public static let appExists: TestDeviceError.Code
        public static let badName: TestDeviceError.Code
        public static let noFolder: TestDeviceError.Code
    }
    public let code: TestDeviceError.Code
    public let message: String
    public var description: String { get }
    public var errorDescription: String? { get }
}
final public class TestDisk : Sendable {
    public func fail(with fault: DiskFault)
    public func endFaults()
}
