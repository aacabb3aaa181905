import Firebase
import Neighbour
import Testing

/// What one `import Firebase` brings, and what it must not.
@Suite("import Firebase")
struct FirebaseModuleTests {
    @Test("Foundation, and the names of phones that guides use")
    func platform() {
        let image: CGImage? = CGImage(rgb: Data([1, 2, 3]), width: 1, height: 1)
        #expect(image?.width == 1 && image?.height == 1)
        #expect(CGImageAlphaInfo.noneSkipFirst.rawValue == 6)
        #expect(UIDevice.current.orientation == .unknown)
    }

    @Test("both generations, each name once, also with a module's name before it")
    func names() {
        let conditions = ModelDownloadConditions()
        let same: FirebaseMLModelDownloaderConditions = conditions
        #expect(same.allowsCellularAccess && !same.allowsBackgroundDownloading)
        #expect(FirebaseMLCommonRemoteModel(name: "m").name == "m")
        #expect(CustomLocalModel(modelPath: "/m.tflite").path == "/m.tflite")
        #expect(ModelElementType.uInt8.rawValue == 3)
        #expect(DownloadError.emptyModelName == .emptyModelName)
        #expect(FirebaseApp.app() == nil)
        #expect(FirebaseOptions(googleAppID: "1:2:ios:3", gcmSenderID: "2").googleAppID == "1:2:ios:3")
        #expect(InstallationsErrorDomain == "com.firebase.installations")
        #expect(AnalyticsParameterValue == "value" && AnalyticsEventSelectContent == "select_content")
        Analytics.logEvent("opened", parameters: [AnalyticsParameterValue: 1])
        #expect(RemoteConfigSettings().minimumFetchInterval == 43_200)
        let callback: ModelInterpreterRunCallback = { _, _ in }
        callback(nil, nil)
    }

    @Test("errors are matched by their codes")
    func errorCodes() {
        func name(_ domain: String, _ code: Int) -> String {
            do {
                throw NSError(domain: domain, code: code)
            } catch InstallationsErrorCode.serverUnreachable {
                return "server unreachable"
            } catch RemoteConfigError.throttled {
                return "throttled"
            } catch {
                return "another"
            }
        }
        #expect(name(InstallationsErrorDomain, 2) == "server unreachable")
        #expect(name(RemoteConfigErrorDomain, 8002) == "throttled")
        #expect(name(RemoteConfigErrorDomain, 2) == "another")
    }

    @Test("Remote Config's errors, values and properties as apps' own tests make them")
    func remoteConfigNames() {
        struct Screen {
            @RemoteConfigProperty(key: "", fallback: "") var text: String?
        }
        let error: Error = NSError(domain: RemoteConfigError.errorDomain, code: RemoteConfigError.throttled.rawValue)
        #expect((error as? RemoteConfigError)?.code == .throttled && !(error is RemoteConfigUpdateError))
        let stored: RemoteConfigError.Code._ErrorType = RemoteConfigError(_nsError: NSError(domain: "", code: 0))
        #expect(stored.code == .unknown && RemoteConfigUpdateError(.notFetched).code == .notFetched)
        ConfigUpdateListenerRegistration().remove()
        #expect(RemoteConfigUpdate().updatedKeys.isEmpty && RemoteConfigValue().source == .static)
        _ = Screen()
    }

    @Test("a frame's memory as camera code reads it")
    func frameMemory() {
        var frame: CVPixelBuffer?
        #expect(
            CVPixelBufferCreate(kCFAllocatorDefault, 2, 2, kCVPixelFormatType_32BGRA, nil, &frame) == kCVReturnSuccess)
        guard let buffer = frame else { return }
        CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: CVOptionFlags(0)))
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        #expect(CVPixelBufferGetBaseAddress(buffer) != nil && CVPixelBufferGetBytesPerRow(buffer) == 8)
        #expect([kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA].count == 1)
    }

    @Test("names as common as these stay free for other libraries")
    func commonNames() {
        // Each would be ambiguous if Firebase declared it too: this compiles or it does not.
        let types: [Any.Type] = [
            Interpreter.self, Tensor.self, Delegate.self, Runtime.self, Object.self, VisionImage.self, Box.self,
            ModelState.self, DeliverySettings.self,
        ]
        #expect(types.allSatisfy { String(reflecting: $0).hasPrefix("Neighbour.") })
    }
}
