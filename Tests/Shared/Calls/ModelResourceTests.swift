import Foundation
import HearthCalls
import HearthWire
import Testing

@Suite("A model on the wire") struct ModelResourceTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    @Test("requests may spell keys either way")
    func spelling() throws {
        let camel =
            #"{"displayName":"d","tags":["t"],"state":{"published":true},"tfliteModel":{"gcsTfliteUri":"gs://b/o"}}"#
        let snake =
            #"{"display_name":"d","tags":["t"],"state":{"published":true},"tflite_model":{"gcs_tflite_uri":"gs://b/o"}}"#
        let one = try WireJSON.decodeRequest(ModelResource.self, from: camel.utf8)
        let other = try WireJSON.decodeRequest(ModelResource.self, from: snake.utf8)
        #expect(one == other)
        #expect(one.tfliteModel?.gcsTfliteUri == "gs://b/o")
        #expect(one.state?.published == true)
        #expect(
            try text(one)
                == camel.replacingOccurrences(of: #","tags":["t"]"#, with: "")
                .replacingOccurrences(of: #","tfliteModel""#, with: #","tags":["t"],"tfliteModel""#))
    }

    @Test("unknown keys are ignored, known keys of another kind are refused")
    func strictness() throws {
        let model = try WireJSON.decodeRequest(ModelResource.self, from: #"{"displayName":"d","later":{"a":1}}"#.utf8)
        #expect(model.displayName == "d")
        for body in ["", "{", "[]", "null", #"{"displayName":5}"#, #"{"tags":"t"}"#, "\u{FEFF}x", #"{"state":[]}"#] {
            #expect(throws: (any Error).self) { try WireJSON.decodeRequest(ModelResource.self, from: body.utf8) }
        }
    }

    @Test("very deep nesting is an error, not a crash")
    func depth() {
        let body = #"{"x":"# + String(repeating: "[", count: 100_000)
        #expect(throws: (any Error).self) { try WireJSON.decodeRequest(ModelResource.self, from: body.utf8) }
    }

    @Test("what is empty is left out")
    func leftOut() throws {
        #expect(try text(ModelResource()) == "{}")
        #expect(try text(ModelList(models: nil, nextPageToken: nil)) == "{}")
    }

    @Test("64-bit sizes travel as text, as Google's clients expect")
    func sizes() throws {
        let model = try WireJSON.decode(ModelResource.self, from: #"{"tfliteModel":{"sizeBytes":"5"}}"#.utf8)
        #expect(model.tfliteModel?.sizeBytes == "5")
    }
}
