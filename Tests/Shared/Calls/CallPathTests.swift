import HearthCalls
import Testing

@Suite("The path of a call") struct CallPathTests {
    @Test("The names in braces are filled in order, and what is filled in is one segment")
    func filled() {
        let path = CallPath("hearth/v1/projects/{project}/models/{model}/releases/{release}:pause")
        #expect(path.names == ["project", "model", "release"])
        #expect(path.filled("p", "7", "3") == "/hearth/v1/projects/p/models/7/releases/3:pause")
        #expect(path.filled(of: "projects/p/models/7", "3") == path.filled("p", "7", "3"))
        #expect(path.filled(["p", "7", "3"]) == path.filled("p", "7", "3"))
        #expect(path.filled("a/b", "%", "é") == "/hearth/v1/projects/a%2Fb/models/%25/releases/%C3%A9:pause")
        #expect(CallPath("token").names == [])
        #expect(CallPath("token").filled() == "/token")
    }

    @Test("The name of a resource goes into the path as it is, whatever it is")
    func resource() {
        let path = CallPath("hearth/v1/projects/{project}/models/{model}/releases/{release}:pause")
        #expect(
            path.filled(of: "projects/a%2Fb/models/7", "3") == "/hearth/v1/projects/a%2Fb/models/7/releases/3:pause")
        #expect(path.filled(of: "projects/p", "7", "3") == path.filled("p", "7", "3"))
        #expect(path.filled(of: "projects/p/models/7/releases/3") == path.filled("p", "7", "3"))
        #expect(path.filled(of: "a/b/c/d/e/f/g/h", "3") == "/hearth/v1/a/b/c/d/e/f/g/h/releases/3:pause")
        #expect(path.filled(of: "", "3") == "/hearth/v1//releases/3:pause")
        #expect(CallPath("projects/{project}").filled(of: "projects/p") == "/projects/p")
    }

    @Test("A call says what it is")
    func description() {
        let call = ReleaseCalls.create
        #expect(call.method == .post && call.description.access == .publisher)
        #expect(call.description.request == ReleaseBodies.CreateRequest.self)
        #expect(call.description.answer == ReleaseBodies.Release.self)
        let image = RehearsalCalls.getImage.description
        #expect(image.request == nil && image.answer == nil && image.answerMedia == "application/octet-stream")
    }
}
