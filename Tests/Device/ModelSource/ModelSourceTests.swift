import Foundation
import HearthModelSource
import Testing

@Suite("Models by where they are")
struct ModelSourceTests {
    @Test("a local model of the app's own has its path, whether or not there is a file")
    func customLocalModel() {
        let model = CustomLocalModel(modelPath: "/nowhere/model.tflite")
        #expect(model.path == "/nowhere/model.tflite")
        #expect(model.manifestPath == nil)
        #expect(model.labelsPath == nil)
        #expect(model as Any is LocalModel)
    }

    @Test("a remote model has its name, whatever it is", arguments: ["mobilenet", "", "a b/ü\0"])
    func customRemoteModel(name: String) {
        let model: RemoteModel = CustomRemoteModel(name: name)
        #expect(model.name == name)
        #expect(model is CustomRemoteModel)
    }

    @Test("a remote model that was published with Firebase ML has its source's name")
    func firebaseModelSource() {
        let source: RemoteModelSource = FirebaseModelSource(name: "mobilenet")
        #expect(CustomRemoteModel(remoteModelSource: source).name == "mobilenet")
    }
}

@Suite("Download conditions")
struct ModelDownloadConditionsTests {
    @Test("any connection and no background by default")
    func defaults() {
        let conditions = ModelDownloadConditions()
        #expect(conditions.allowsCellularAccess)
        #expect(!conditions.allowsBackgroundDownloading)
    }

    @Test("equal by value, copies too")
    func equality() {
        let conditions = ModelDownloadConditions(allowsCellularAccess: false, allowsBackgroundDownloading: true)
        #expect(conditions.copy() as? ModelDownloadConditions == conditions)
        #expect(Set([conditions, ModelDownloadConditions(allowsCellularAccess: false)]).count == 2)
        #expect(!conditions.isEqual(NSString("conditions")))
    }

    @Test("the names of 2018 and 2019 still work")
    @available(*, deprecated)
    func olderNames() {
        let oldest = ModelDownloadConditions(wiFiRequired: true, idleRequired: true)
        #expect(!oldest.allowsCellularAccess)
        #expect(oldest.isWiFiRequired)
        #expect(!oldest.isIdleRequired)
        let older = ModelDownloadConditions(isWiFiRequired: false, canDownloadInBackground: true)
        #expect(older.allowsCellularAccess)
        #expect(older.canDownloadInBackground)
    }
}
