import Foundation
import Glibc
import HearthModelSource
import HearthTestSupport
import Testing

@testable import HearthDelivery

@Suite("The system's reports about connection and power")
struct DeviceConditionsTests {
    private let folder: TemporaryFolder
    private var system: SystemConditions {
        SystemConditions(procFolder: folder.path + "/proc", sysFolder: folder.path + "/sys")
    }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to path: String) throws { _ = try folder.write(text.utf8, to: path) }

    /// `/proc/net/route` with these lines, each with interface, destination, flags, metric and mask.
    private func writeRoutes(_ routes: [(String, String, String, Int, String)]) throws {
        let lines = routes.map { "\($0.0)\t\($0.1)\t010200C0\t\($0.2)\t0\t0\t\($0.3)\t\($0.4)\t0\t0\t0   " }
        let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT   "
        try write(([head] + lines).joined(separator: "\n") + "\n", to: "proc/net/route")
    }

    @Test(
        "The interface of the default route decides",
        arguments: [
            ("eth0", "", false), ("wlan0", "DEVTYPE=wlan\n", false), ("wwan0", "DEVTYPE=wwan\n", true),
            ("wwan0", "", true),
            ("ppp0", "", false), ("ppp0", "DEVTYPE=ppp\n", false),
            ("usb0", "INTERFACE=usb0\nDEVTYPE=wwan\nIFINDEX=7\n", true),
            ("usb1", "DEVTYPE=wwanted\n", false),
        ])
    func interfaces(name: String, events: String, isMetered: Bool) throws {
        try writeRoutes([(name, "00000000", "0003", 100, "00000000"), (name, "000200C0", "0001", 0, "00FFFFFF")])
        if !events.isEmpty { try write(events, to: "sys/class/net/\(name)/uevent") }
        #expect(system.isConnectionMetered == isMetered)
    }

    @Test("The default route with the lowest metric counts; routes that are down or refuse do not")
    func metrics() throws {
        try writeRoutes([
            ("wwan0", "00000000", "0003", 700, "00000000"), ("eth0", "00000000", "0003", 100, "00000000"),
            ("ppp0", "00000000", "0002", 1, "00000000"), ("ppp1", "00000000", "0203", 1, "00000000"),
            ("wwan1", "00000000", "0001", 0, "00FFFFFF"),
        ])
        #expect(system.isConnectionMetered == false)
    }

    @Test("An IPv6 default route counts too")
    func ipv6() throws {
        let zeros = String(repeating: "0", count: 32)
        try write(
            """
            fe800000000000000000000000000000 40 \(zeros) 00 \(zeros) 00000100 00000001 00000000 00000001     eth0
            \(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003    wwan0
            \(zeros) 00 \(zeros) 00 \(zeros) ffffffff 00000001 00000000 00200200       lo

            """, to: "proc/net/ipv6_route")
        #expect(system.isConnectionMetered == true)
        try writeRoutes([("eth0", "00000000", "0003", 0, "00000000")])
        #expect(system.isConnectionMetered == true, "a transfer may use either")
    }

    @Test(
        "A connection without a default route, or with malformed tables, is unknown",
        arguments: ["", "x", "a b c d e f g h i j", "\n\t\n"])
    func unknown(text: String) throws {
        #expect(system.isConnectionMetered == nil)
        try write(text, to: "proc/net/route")
        try write(text, to: "proc/net/ipv6_route")
        #expect(system.isConnectionMetered == nil)
    }

    @Test(
        "Power",
        arguments: [
            ([], true), (["AC/type=Mains", "AC/online=1", "BAT0/type=Battery", "BAT0/status=Charging"], true),
            (["AC/type=Mains", "AC/online=0", "BAT0/type=Battery", "BAT0/status=Discharging"], false),
            (["usb/type=USB", "usb/online=1", "BAT0/type=Battery", "BAT0/status=Discharging"], true),
            (["BAT0/type=Battery", "BAT0/status=Discharging"], false),
            (["BAT0/type=Battery", "BAT0/status=Full"], true),
            (["mouse/type=Battery", "mouse/scope=Device", "mouse/status=Discharging"], true),
            (["AC/type=Mains", "AC/online=0"], true), (["x/type=", "y/online=1"], true),
            (["AC/type=Mains", "AC/online=-9999999999999999999999", "B/type=Battery", "B/status=Discharging"], false),
        ] as [([String], Bool)])
    func power(files: [String], isExternal: Bool) throws {
        try write("", to: "sys/class/power_supply/.keep")
        for file in files {
            let parts = file.split(separator: "=", omittingEmptySubsequences: false)
            try write(parts[1] + "\n", to: "sys/class/power_supply/\(parts[0])")
        }
        #expect(system.isOnExternalPower == isExternal)
    }

    @Test("Without the kernel's folder, power is unknown")
    func noPowerFolder() {
        #expect(system.isOnExternalPower == nil)
    }

    /// Whether the kernel itself would send to this address. Connecting a datagram socket sends no data.
    private func leads(to address: String, _ family: Int32) -> Bool {
        var hints = addrinfo()
        (hints.ai_family, hints.ai_socktype, hints.ai_flags) = (family, Int32(SOCK_DGRAM.rawValue), AI_NUMERICHOST)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "9", &hints, &found) == 0, let info = found?.pointee else { return false }
        defer { freeaddrinfo(found) }
        let descriptor = socket(info.ai_family, info.ai_socktype, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return connect(descriptor, info.ai_addr, info.ai_addrlen) == 0
    }

    @Test("On this machine, the reports agree with the kernel's routes and power supplies")
    func thisMachine() {
        let hasRoute = leads(to: "192.0.2.1", AF_INET) || leads(to: "2001:db8::1", AF_INET6)
        #expect((SystemConditions().isConnectionMetered != nil) == hasRoute)
        let hasPowerFolder = FileManager.default.fileExists(atPath: "/sys/class/power_supply")
        #expect((SystemConditions().isOnExternalPower != nil) == hasPowerFolder)
    }

    private struct Device: DeviceConditions {
        var isConnectionMetered: Bool?
        var isOnExternalPower: Bool?
    }

    @Test(
        "Only a metered connection that is not allowed prevents a download",
        arguments: [
            (true, true, true), (true, false, true), (true, nil, true), (false, true, false), (false, false, true),
            (false, nil, true),
        ] as [(Bool, Bool?, Bool)])
    func rules(allowsCellular: Bool, isMetered: Bool?, goesOn: Bool) {
        var failure: DownloadFailure?
        do throws(DownloadFailure) {
            try ConditionRules.check(
                DownloadConditions(ModelDownloadConditions(allowsCellularAccess: allowsCellular)),
                on: Device(isConnectionMetered: isMetered))
        } catch {
            failure = error
        }
        #expect((failure == nil) == goesOn)
        #expect(failure.map { $0.code == .conditionsNotMet && $0.error == .failedPrecondition } ?? true)
    }
}
