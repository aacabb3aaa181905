import EndToEndDriving
import HearthApp
import HearthCalls
import HearthEvents
import HearthRemoteConfig
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Two values of a parameter, compared on devices that only read it.
    @Suite struct ParameterExperimentTests {
        private typealias Counted = CurlAdmin.Counted

        private static let variants = ["red": "usual", "blue": "other"]
        private let server: ServerProcess
        private let line: FaultyTransport
        private let fleet: Fleet

        init() throws {
            server = try ServerProcess()
            line = FaultyTransport(server)
            fleet = try Fleet(server, line)
            let admin = try CurlAdmin(server)
            try admin.put(parameters: ["colour": "grey"])
            try admin.startExperiment(
                "colours",
                Self.variants.sorted { $0.key > $1.key }.map { colour, name in
                    ExperimentBodies.Variant(name: name, parameters: ["colour": colour])
                })
        }

        /// The device's variant, as the app sees it: by the parameter's value.
        private static func variant(_ device: AppOnDevice) throws -> String {
            let colour = device.config["colour"].stringValue
            return try #require(variants[colour], "\(colour)")
        }

        private static func fetchedVariant(_ device: AppOnDevice) async throws -> String {
            _ = try await device.config.fetchAndActivate()
            return try variant(device)
        }

        private static func counted(_ variant: String, _ times: Int) -> Counted {
            Counted(variant: variant, count: times, sum: Double(times))
        }

        private func colours() async throws -> Set<String> {
            let colours = try await fleet.each { device, _ in
                _ = try await device.config.fetchAndActivate()
                return device.config["colour"].stringValue
            }
            return Set(colours.values)
        }

        @Test("what each device did is counted to the last event, restarts change nothing, and the end reaches all")
        func fromStartToRollOut() async throws {
            let admin = try CurlAdmin(server)
            let first = try await fleet.each { device, index in
                let variant = try await Self.fetchedVariant(device)
                device.logContent(times: index)
                try await device.analytics.sendPendingEvents()
                return Self.counted(variant, index)
            }
            #expect(first.count == fleet.devices.count)
            #expect(try admin.counted("colours") == first)

            let second = try await fleet.each { device, index in
                try await device.restart()
                let variant = try Self.variant(device)
                #expect(try await Self.fetchedVariant(device) == variant)
                device.logContent(times: 1)
                try await device.analytics.sendPendingEvents()
                return Self.counted(variant, index + 1)
            }
            #expect(second.mapValues(\.variant) == first.mapValues(\.variant))
            #expect(try admin.counted("colours") == second)

            try admin.stopExperiment("colours")
            #expect(try await colours() == ["grey"])
            try admin.rollOut("other", of: "colours")
            #expect(try await colours() == ["blue"])
            await fleet.end()
        }

        @Test("a deleted installation is another unit, also with the same variant; what the old one did stays")
        func deletedInstallation() async throws {
            let device = fleet.devices[0]
            var expected: [String: Counted] = [:]
            // Until both the same variant and the other one have come after a deletion: a coin that falls 40 times.
            var changes: Set<Bool> = []
            var last: String?
            for _ in 0..<40 where changes.count < 2 {
                let variant = try await Self.fetchedVariant(device)
                device.logContent(times: 2)
                try await device.analytics.sendPendingEvents()
                #expect(expected.updateValue(Self.counted(variant, 2), forKey: try device.installation) == nil)
                if let last { changes.insert(last == variant) }
                last = variant
                try await Installations.installations(app: device.app).delete()
            }
            #expect(changes.count == 2)
            #expect(try CurlAdmin(server).counted("colours") == expected)
            await fleet.end()
        }

        @Test("a server that is killed with batches in flight, answered or not, has counted each event once")
        func killedServer() async throws {
            _ = try await fleet.each { device, index in
                _ = try await Self.fetchedVariant(device)
                device.logContent(times: index + 1)
            }
            // Three answers that are counted and never heard of, and who knows how many more on their way.
            line.kill(server, afterReports: 3)
            let failures = try await fleet.each { device, _ in
                do {
                    try await device.analytics.sendPendingEvents()
                    return false
                } catch let error as EventsError {
                    #expect(error.code == .unreachable)
                    return true
                }
            }
            #expect(failures.values.filter { $0 }.count >= fleet.devices.count - 2)
            try server.kill()

            let again = try ServerProcess(data: server.data)
            line.redirect(to: again)
            let expected = try await fleet.each { device, index in
                // Some send again as they are, some after a restart.
                if index.isMultiple(of: 2) { try await device.restart() }
                try await device.analytics.sendPendingEvents()
                return Self.counted(try Self.variant(device), index + 1)
            }
            #expect(try CurlAdmin(again).counted("colours") == expected)
            await fleet.end()
        }
    }
}
