import EndToEndDriving
import Foundation
import HearthDelivery
import HearthModelSource
import HearthRemoteConfig
import HearthTestSupport
import HearthVision
import Synchronization
import Testing

extension EndToEndSuites {
    /// A parameter names the model: an app goes over to another one while it works.
    @Suite struct ModelsByConfigurationTests {
        private let server: ServerProcess
        private let admin: CurlAdmin
        private let device: AppOnDevice

        init() throws {
            server = try ServerProcess()
            admin = try CurlAdmin(server)
            #expect(try server.hearth("models", "push", "small", SampleModels.file, "--publish").exitCode == 0)
            #expect(try server.hearth("models", "push", "large", SampleModels.secondFile, "--publish").exitCode == 0)
            #expect(try server.hearth("models", "push", "hidden", SampleModels.file).exitCode == 0)
            device = try AppOnDevice(server, FaultyTransport(server), name: "following")
        }

        /// What an app labels images with.
        private struct Current: Sendable {
            var name: String
            var labeler: ImageLabeler
        }

        /// Labels images on a thread of its own, with whichever model is the current one, until it is told to stop.
        private final class Worker: Sendable {
            struct Work {
                var current: Current
                var isStopped = false
                /// By the model's name.
                var images: [String: Int] = [:]
                /// The first few.
                var failures: [String] = []

                mutating func fail(_ reason: String) {
                    if failures.count < 10 { failures.append(reason) }
                }
            }

            let work: Mutex<Work>
            private let ended = DispatchSemaphore(value: 0)

            init(_ current: Current) {
                work = Mutex(Work(current: current))
                Thread { self.run() }.start()
            }

            func stop() -> Work {
                work.withLock { $0.isStopped = true }
                ended.wait()
                return work.withLock { $0 }
            }

            /// Whether it has labelled another image with that model from now on.
            func uses(_ name: String) -> Bool {
                let before = work.withLock { $0.images[name] ?? 0 }
                return Deadline.wait { work.withLock { $0.images[name] ?? 0 } > before }
            }

            private func run() {
                let image = VisionImage(contentsOfFile: SampleModels.image)
                while let current = work.withLock({ $0.isStopped ? nil : $0.current }) {
                    let labels = Result { try current.labeler.results(in: image) }
                    work.withLock { work in
                        switch labels {
                        case .success(let labels) where labels.first?.index == 7:
                            work.images[current.name, default: 0] += 1
                        case .success(let labels): work.fail("\(current.name): \(labels)")
                        case .failure(let error): work.fail("\(current.name): \(error)")
                        }
                    }
                }
                ended.signal()
            }
        }

        /// As in the guide.
        private static func makeCurrent(_ device: AppOnDevice) async throws -> Current {
            let model = try await device.models.getModel(
                name: device.config["model_name"].stringValue, downloadType: .localModelUpdateInBackground)
            let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
            return Current(name: model.name, labeler: ImageLabeler.imageLabeler(options: options))
        }

        @Test func theModelChangesWithoutARestartAndWithoutAMomentWithNone() async throws {
            try admin.put(parameters: ["model_name": "small"])
            _ = try await device.config.fetchAndActivate()
            let worker = Worker(try await Self.makeCurrent(device))
            #expect(worker.uses("small"))

            let (changes, continuation) = AsyncStream<String>.makeStream()
            let follower = Task { [device] in
                for try await update in device.config.configUpdates where update.updatedKeys.contains("model_name") {
                    _ = try await device.config.activate()
                    do {
                        let next = try await Self.makeCurrent(device)
                        worker.work.withLock { $0.current = next }
                        continuation.yield(next.name)
                    } catch {
                        continuation.yield("none: \(error)")
                    }
                }
            }
            var heard = changes.makeAsyncIterator()
            for name in ["large", "small", "large"] {
                try admin.put(parameters: ["model_name": name])
                #expect(await heard.next() == name)
                #expect(worker.uses(name))
            }
            for name in ["hidden", "nothing"] {
                try admin.put(parameters: ["model_name": name])
                #expect(await heard.next()?.hasPrefix("none: ") == true)
                #expect(worker.uses("large"))
            }
            try admin.put(parameters: ["model_name": "small"])
            #expect(await heard.next() == "small")
            #expect(worker.uses("small"))

            let work = worker.stop()
            #expect(work.failures.isEmpty, "\(work.failures)")
            #expect(Set(work.images.keys) == ["small", "large"])
            follower.cancel()
            await device.end()
        }
    }
}
