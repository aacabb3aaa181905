import EndToEndDriving
import HearthDelivery
import HearthEvents
import HearthModelSource
import HearthTestSupport
import HearthVision
import HearthWire
import Testing

extension EndToEndSuites {
    /// What the server is told of how models do.
    @Suite struct ModelReportingTests {
        private let server: ServerProcess
        private let line: FaultyTransport

        init() throws {
            server = try ServerProcess()
            line = FaultyTransport(server)
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
        }

        private func reported() throws -> [String: Int64] {
            let rows = try CurlAdmin(server).events()
            #expect(rows.allSatisfy { $0.model == "digits" })
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.event, $0.count) })
        }

        /// How an app makes its labeler: by the model's name, or with the file that it was given.
        enum Way: CaseIterable {
            case name, file
        }

        @Test(
            "a labeler's runs arrive with the model's name, and only where the app allows it", arguments: Way.allCases)
        func labeler(way: Way) async throws {
            // Names are looked up in the default app.
            let device = try AppOnDevice(server, line, name: way == .name ? AppOnDevice.defaultName : "another")
            let analytics = device.analytics
            let model = try await device.models.getModel(name: "digits", downloadType: .latestModel)
            let options =
                switch way {
                case .name: CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: model.name))
                case .file: CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
                }
            let labeler = ImageLabeler.imageLabeler(options: options)
            func label() async throws {
                #expect(try await AppOnDevice.label(with: labeler) == 7)
                try await analytics.sendPendingEvents()
            }
            try await label()
            #expect(line.reportCount == 0)

            analytics.setModelReportingEnabled(true)
            try await label()
            #expect(try reported() == ["model_confidence": 1, "model_inference_ms": 1])
            for row in try CurlAdmin(server).events() {
                #expect(row.sum > 0 && (row.event != "model_confidence" || row.sum <= 1), "\(row)")
            }

            analytics.setModelReportingEnabled(false)
            try await label()
            #expect(line.reportCount == 1)

            analytics.setModelReportingEnabled(true)
            analytics.setAnalyticsCollectionEnabled(false)
            device.logContent(times: 1)
            try await label()
            #expect(line.reportCount == 1)
            #expect(try reported() == ["model_confidence": 1, "model_inference_ms": 1])
            await device.end()
        }
    }
}
