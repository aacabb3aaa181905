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
