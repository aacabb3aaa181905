import EndToEndDriving
import HearthCalls
import HearthCrypto
import HearthDelivery
import HearthEvents
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Two versions of a model, compared on devices that know nothing of it.
    @Suite struct ModelExperimentTests {
        private let server: ServerProcess
        private let admin: CurlAdmin
        private let line: FaultyTransport
        private let fleet: Fleet
        private let usual: String
        private let other: String

        init() throws {
            server = try ServerProcess()
            admin = try CurlAdmin(server)
            line = FaultyTransport(server)
            fleet = try Fleet(server, line)
            usual = SHA256Hasher.hash(try SampleModels.bytes()).hex
            other = SHA256Hasher.hash(try SampleModels.bytes(SampleModels.secondFile)).hex
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            #expect(try server.hearth("models", "push", "digits", SampleModels.secondFile).exitCode == 0)
            try admin.startExperiment(
                "better",
                [
                    ExperimentBodies.Variant(name: "usual", models: ["digits": 1]),
                    ExperimentBodies.Variant(name: "other", models: ["digits": 2]),
                ])
        }

        /// Each device gets the model, labels an image and reports; what the server should have counted of it.
        private func work(_ type: ModelDownloadType, earlier: [String: CurlAdmin.Counted] = [:]) async throws
            -> [String: CurlAdmin.Counted]
        {
            try await fleet.each { [usual, other] device, index in
                let model = try await device.models.getModel(name: "digits", downloadType: type)
                #expect([usual, other].contains(model.hash))
                #expect(try await AppOnDevice.label(with: model) == 7)
                let times = index % 3 + 1
                device.logContent(times: times)
                try await device.analytics.sendPendingEvents()
                let before = earlier[try device.installation]
                return CurlAdmin.Counted(
                    variant: model.hash == usual ? "usual" : "other", count: (before?.count ?? 0) + times,
                    sum: (before?.sum ?? 0) + Double(times))
            }
        }

        private func hashes() async throws -> Set<String> {
            let models = try await fleet.each { device, _ in
                try await device.models.getModel(name: "digits", downloadType: .latestModel).hash
            }
            return Set(models.values)
        }

        @Test("what each device did is counted to the last event, restarts change nothing, and the end reaches all")
        func fromStartToRollOut() async throws {
            let first = try await work(.latestModel)
            #expect(first.count == fleet.devices.count)
            #expect(try admin.counted("better") == first)

            _ = try await fleet.each { device, _ in try await device.restart() }
            // Without the server, and with it.
            let second = try await work(.localModel, earlier: first)
            let third = try await work(.latestModel, earlier: second)
            #expect(third.mapValues(\.variant) == first.mapValues(\.variant))
            #expect(try admin.counted("better") == third)
            let results = try admin.results("better")
            for exposures in results.exposures {
                let units = third.values.filter { $0.variant == exposures.variant }
                #expect(exposures.installations == units.count)
                let row = try #require(results.goal.rows.first { $0.variant == exposures.variant })
                let mean = units.isEmpty ? 0 : units.map(\.sum).reduce(0, +) / Double(units.count)
                #expect(row.count == units.count && abs(row.value - mean) < 1e-9)
            }

            try admin.stopExperiment("better")
            #expect(try await hashes() == [usual])
            _ = try await work(.latestModel)
            #expect(try admin.counted("better") == third)
            try admin.rollOut("other", of: "better")
            #expect(try await hashes() == [other])
            // What came after the end is seen, too.
            let reported = try admin.events().filter { $0.event == "content" }
            let perRound = first.values.map(\.count).reduce(0, +)
            #expect(reported.map(\.count).reduce(0, +) == Int64(4 * perRound))
            await fleet.end()
        }
    }
}
