import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// Whatever a user points at opens as the same model with the same labels.
@Suite struct ModelBundleTests {
    private let folder: TemporaryFolder
    private static let manifest = """
        { "modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt", }
        """
    private static let labels = ["daisy", "rose"]

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult private func write(_ text: String, _ name: String) throws -> String {
        try folder.write(text.utf8, to: name)
    }

    @discardableResult private func writeModel(_ name: String, _ bytes: [UInt8] = TestModel().bytes()) throws -> String
    {
        try folder.write(bytes, to: name)
    }

    private func writeBundle(_ place: String, manifest name: String = "manifest.json") throws -> String {
        try write(Self.manifest, "\(place)/\(name)")
        try write("daisy\nrose\n", "\(place)/dict.txt")
        try writeModel("\(place)/model.tflite")
        return folder.path + "/" + place
    }

    /// A model whose metadata names label files, with those files appended.
    private func modelWithMetadata(
        _ names: [(name: String, locale: String?)] = [("labels.txt", nil)], files: [String: String]
    ) throws -> [UInt8] {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", TestMetadata.block(labelFiles: names))]
        var writer = ZipWriter()
        for (name, text) in files.sorted(by: { $0.key < $1.key }) { try writer.add(name, Array(text.utf8)) }
        return try writer.appended(to: model.bytes())
    }

    private func error(_ path: String, labels: String? = nil) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try ModelBundle(path: path, labelsPath: labels) }
    }

    // MARK: Folders and manifests

    @Test(arguments: ["manifest.json", "automl_labeler_manifest.json"])
    func opensAFolderAndItsManifest(name: String) throws {
        let path = try writeBundle("bundle", manifest: name)
        for path in [path, path + "/", path + "/" + name] {
            let bundle = try ModelBundle(path: path)
            #expect(bundle.kind == .folder)
            #expect(bundle.labels?.classNames == Self.labels)
            #expect(bundle.manifest?.modelType == "IMAGE_LABELING")
            #expect(bundle.manifestPath?.hasSuffix("/bundle/" + name) == true)
            #expect(bundle.metadata == nil)
            try bundle.model.checkForLoading()
        }
    }

    @Test func opensADetectionExportWithoutManifest() throws {
        try writeModel("detector/model.tflite")
        try write("cat\ndog\n", "detector/dict.txt")
        try write(#"{"maxDetections": 40}"#, "detector/tflite_metadata.json")
        let bundle = try ModelBundle(path: folder.path + "/detector")
        #expect(bundle.labels?.classNames == ["cat", "dog"])
        #expect(bundle.exportMetadata == Array(#"{"maxDetections": 40}"#.utf8))
        #expect(bundle.manifest == nil)
    }

    @Test func saysWhatABundleLacks() throws {
        let path = try writeBundle("bundle")
        try FileManager.default.removeItem(atPath: path + "/dict.txt")
        #expect(error(path)?.code == .labelsMissing)
        try FileManager.default.removeItem(atPath: path + "/model.tflite")
        #expect(error(path)?.code == .notFound)
        #expect(error(path)?.message.contains("'model.tflite'") == true)
        try FileManager.default.removeItem(atPath: path + "/manifest.json")
        #expect(error(path)?.code == .invalidBundle)
        #expect(error(folder.path + "/absent")?.code == .notFound)
        #expect(error(folder.path + "/absent/manifest.json")?.code == .notFound)
        try write("{", "bad/manifest.json")
        #expect(error(folder.path + "/bad")?.code == .invalidBundle)
        try write(Self.manifest, "two/a_manifest.json")
        try write(Self.manifest, "two/b_manifest.json")
        #expect(error(folder.path + "/two")?.message.contains("several manifests") == true)
        #expect(error(try write("hello", "text.tflite"))?.code == .notAModel)
    }

    @Test(arguments: ["model.tflite", "dict.txt"])
    func refusesLinksOutOfTheFolder(name: String) throws {
        let path = try writeBundle("bundle")
        let outside = folder.path + "/outside"
        try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: outside)
        let error = error(path)
        #expect(error?.code == .invalidBundle)
        #expect(error?.message.contains("is a symbolic link") == true)
    }

    // MARK: Zips

    @Test func opensAnExportedZip() throws {
        let bundle = try ModelBundle(path: ZipArchiveTests.fixtures.appendingPathComponent("export.zip").path)
        #expect(bundle.kind == .zip)
        #expect(bundle.labels?.classNames == Self.labels)
        #expect(bundle.manifestPath == nil)
        try bundle.model.checkForLoading()
    }

    @Test func zipsOfSeveralFoldersOrWithoutEndAreRefused() throws {
        var writer = ZipWriter()
        try writer.add("a/model.tflite", TestModel().bytes())
        #expect(throws: Never.self) { try ModelBundle(path: writeModel("one.zip", writer.appended(to: []))) }
        try writer.add("b/model.tflite", TestModel().bytes())
        let bytes = try writer.appended(to: [])
        #expect(error(try writeModel("two.zip", bytes))?.code == .invalidBundle)
        var flat = ZipWriter()
        for name in ["detector.tflite", "landmarks.tflite"] { try flat.add(name, TestModel().bytes()) }
        let several = error(try writeModel("hand.task", flat.appended(to: [])))
        #expect(
            several?.message.hasSuffix(
                "has no manifest.json and more than one .tflite model; unpack it, and use one of these files") == true)
        #expect(error(try writeModel("cut.zip", bytes.dropLast(1)))?.message.contains("cut short") == true)
    }

    // MARK: Label sources of a plain model

    @Test(arguments: ["labels.txt", "dict.txt", "flowers.txt", "flowers_labels.txt"])
    func findsTheLabelFileBesideAModel(name: String) throws {
        let path = try writeModel("flowers.tflite")
        #expect(try ModelBundle(path: path).labels == nil)
        try write("daisy\nrose\n", name)
        let bundle = try ModelBundle(path: path)
        #expect(bundle.kind == .model)
        #expect(bundle.labels?.classNames == Self.labels)
    }

    @Test(arguments: [
        "label_map.pbtxt", "labelmap.pbtxt", "traffic_model.pbtxt", "traffic_model_label_map.pbtxt", "traffic.pbtxt",
        "traffic_label_map.pbtxt",
    ])
    func findsTheLabelMapThatAutoMLVideoWritesBesideAModel(name: String) throws {
        let path = try writeModel("traffic_model.tflite")
        try write(#"item { id: 1 name: "car" } item { id: 2 name: "bus" }"#, name)
        #expect(try ModelBundle(path: path).labels?.classNames == ["car", "bus"])
        // What was found before is found before it.
        try write("daisy\nrose\n", "labels.txt")
        #expect(try ModelBundle(path: path).labels?.classNames == Self.labels)
    }

    @Test func takesNoneOfSeveralLabelMapsAndNamesThem() throws {
        let path = try writeModel("traffic_model.tflite")
        for name in ["label_map.pbtxt", "traffic_label_map.pbtxt"] { try write(#"item { id: 1 name: "car" }"#, name) }
        let bundle = try ModelBundle(path: path)
        #expect(bundle.labels == nil)
        #expect(bundle.ambiguousLabelFiles == ["label_map.pbtxt", "traffic_label_map.pbtxt"])
    }

    @Test func takesNoneOfSeveralLabelFilesAndNamesThem() throws {
        let path = try writeModel("flowers.tflite")
        try write("a\n", "labels.txt")
        try write("b\n", "flowers.txt")
        let bundle = try ModelBundle(path: path)
        #expect(bundle.labels == nil)
        #expect(bundle.ambiguousLabelFiles == ["flowers.txt", "labels.txt"])
        #expect(try ModelBundle(path: path, labelsPath: folder.path + "/flowers.txt").labels?.classNames == ["b"])
    }

    @Test func readsMetadataLabelsInTheWantedLanguage() throws {
        let names: [(name: String, locale: String?)] = [("ids.txt", nil), ("en.txt", "en"), ("de.txt", "de")]
        let files = ["ids.txt": "/m/1\n/m/2\n", "en.txt": "Daisy\nRose\n", "de.txt": "Gänseblümchen\nRose\n"]
        let path = try writeModel("model.tflite", modelWithMetadata(names, files: files))
        try write("beside\n", "labels.txt")
        let english = try ModelBundle(path: path)
        #expect(english.labels?.classNames == ["/m/1", "/m/2"])
        #expect(english.labels?.displayNames == ["Daisy", "Rose"])
        let german = try ModelBundle(path: path, locale: "de")
        #expect(german.labels?.displayName(0) == "Gänseblümchen")
        #expect(try german.metadataLabels(ofOutput: 0) == german.labels)
        #expect(try german.metadataLabels(ofOutput: 1) == nil)
    }

    @Test func readsTheLabelsOfAZipThatWasAppendedWithCat() throws {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", TestMetadata.block(labelFiles: [("labels.txt", nil)]))]
        var writer = ZipWriter()
        try writer.add("labels.txt", Array("daisy\nrose\n".utf8))
        let path = try writeModel("model.tflite", model.bytes() + writer.appended(to: []))
        let bundle = try ModelBundle(path: path)
        #expect(bundle.labels?.classNames == Self.labels)
        try bundle.model.checkForLoading()
        let packed = try repack(ModelBundle(path: path, labelsPath: write("a\nb\n", "mine.txt")), model: model.bytes())
        #expect(packed.labels?.classNames == ["a", "b"])
    }

    @Test func readsTheNamesThatAnExporterAttachedAsLabels() throws {
        let dictionary = "{'task': 'classify', 'names': {0: 'daisy', 1: 'rose'}}"
        let named = try modelWithMetadata([("temp_meta.txt", nil)], files: ["temp_meta.txt": dictionary])
        #expect(try ModelBundle(path: writeModel("model.tflite", named)).labels?.classNames == Self.labels)
        let json = try modelWithMetadata([], files: ["metadata.json": #"{"names": {"0": "daisy", "1": "rose"}}"#])
        #expect(try ModelBundle(path: writeModel("model.tflite", json)).labels?.classNames == Self.labels)
        let other = try modelWithMetadata([], files: ["metadata.json": "[1]", "labels.txt": "daisy\nrose\n"])
        #expect(try ModelBundle(path: writeModel("model.tflite", other)).labels?.classNames == Self.labels)
    }

    @Test func aDescriptionWithoutNamesIsNoLabelFile() throws {
        let model = try modelWithMetadata([("temp_meta.txt", nil)], files: ["temp_meta.txt": "{'task': 'classify'}\n"])
        let path = try writeModel("model.tflite", model)
        #expect(try ModelBundle(path: path).labels == nil)
        try write("daisy\nrose\n", "labels.txt")
        #expect(try ModelBundle(path: path).labels?.classNames == Self.labels)
    }

    /// Outputs with files of kind 2, labels by axis, and 3, labels by value.
    @Test(
        arguments: [
            ([[("b", 3)], [("a", 2)]], 1, ["a1", "a2"]),
            ([[("d", 2)], [("a", 2)], [("c", 2)]], 1, ["a1", "a2"]),
            ([[("b", 3)], [("d", 2)], [("c", 2)]], 2, ["c1"]),
            ([[], [("b", 3)]], 0, ["b1", "b2"]),
            ([[("b", 3)], [("d", 2)]], 1, ["b1", "b2"]),
            ([[], [("d", 2)]], 1, nil),
            ([[]], 0, nil),
        ] as [([[(name: String, kind: Int8)]], Int, [String]?)])
    func scoresAndLabelsAreOfOneOutput(
        outputs: [[(name: String, kind: Int8)]], output: Int, names: [String]?
    ) throws {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", TestMetadata.block(outputs: outputs))]
        var writer = ZipWriter()
        for (name, text) in [("a", "a1\na2\n"), ("b", "b1\nb2\n"), ("c", "c1\n"), ("d", "{'task': 'classify'}\n")] {
            try writer.add(name, Array(text.utf8))
        }
        let path = try writeModel("model.tflite", writer.appended(to: model.bytes()))
        let scores = try ModelBundle(path: path).labeledScores()
        #expect(scores.output == output && scores.labels?.classNames == names)
        // Other labels are for the first output that the metadata names labels for.
        let labels = try write("mine\n", "mine.txt")
        let own = try ModelBundle(path: path, labelsPath: labels).labeledScores()
        let first = outputs.firstIndex { files in files.contains { $0.kind == 2 } }
        #expect(own.output == first ?? 0 && own.labels?.classNames == ["mine"])
    }

    @Test func aNamedButMissingLabelFileIsAnError() throws {
        let whole = try modelWithMetadata(files: ["labels.txt": "daisy\nrose\n"])
        #expect(try ModelBundle(path: writeModel("model.tflite", whole)).labels?.classNames == Self.labels)
        // The last bytes are cut off: still a model, but without its zip. The file beside must not hide that.
        let path = try writeModel("model.tflite", whole.dropLast(3))
        try write("beside\n", "labels.txt")
        #expect(error(path)?.code == .labelsMissing)
        #expect(error(path)?.message.contains("'labels.txt'") == true)
        #expect(try ModelBundle(path: path, labelsPath: folder.path + "/labels.txt").labels?.classNames == ["beside"])
        #expect(error(path, labels: folder.path + "/absent.txt")?.code == .labelsMissing)
    }

    @Test func theCallersLabelsGoBeforeTheManifests() throws {
        let path = try writeBundle("bundle")
        let labels = try write("mine\nyours\n", "mine.txt")
        #expect(try ModelBundle(path: path, labelsPath: labels).labels?.classNames == ["mine", "yours"])
        #expect(error(path, labels: try write("", "empty.txt"))?.code == .labelsMismatch)
    }

    @Test func modelSizeLimitIsInclusive() throws {
        let path = try writeModel("model.tflite")
        var limits = BundleLimits()
        limits.modelBytes = TestModel().bytes().count
        #expect(throws: Never.self) { try ModelBundle(path: path, limits: limits) }
        limits.modelBytes -= 1
        let error = #expect(throws: ModelFileError.self) { try ModelBundle(path: path, limits: limits) }
        #expect(error?.code == .tooLarge)
    }

    // MARK: Packing

    /// Packs, and checks that the file is the model followed by a zip, opens again, and packs to itself.
    private func repack(_ bundle: ModelBundle, model: [UInt8] = TestModel().bytes()) throws -> ModelBundle {
        let bytes = try bundle.packed()
        #expect(bytes.starts(with: model))
        let again = try ModelBundle(path: writeModel("out/packed.tflite", bytes))
        #expect(try again.packed() == bytes)
        #expect(again.labels == bundle.labels)
        try again.model.checkForLoading()
        return again
    }

    @Test func packsAFolderIntoOneFile() throws {
        let path = try writeBundle("bundle", manifest: "automl_labeler_manifest.json")
        try write("{}", "bundle/tflite_metadata.json")
        let packed = try repack(ModelBundle(path: path))
        #expect(packed.kind == .packedModel)
        #expect(packed.manifest?.labelsFile == "dict.txt")
        #expect(packed.exportMetadata == Array("{}".utf8))
    }

    @Test func packsAZipAndTheSameFolderAlike() throws {
        let zip = try ModelBundle(path: ZipArchiveTests.fixtures.appendingPathComponent("export.zip").path)
        let packed = try repack(zip)
        #expect(packed.manifest == zip.manifest)
    }

    @Test func packsLabelsThatNothingNamed() throws {
        let path = try writeModel("flowers.tflite")
        #expect(try ModelBundle(path: path).packed() == TestModel().bytes())
        try write("daisy\nrose\n", "flowers_labels.txt")
        let packed = try repack(ModelBundle(path: path))
        #expect(packed.labels?.classNames == Self.labels)
    }

    @Test func packingKeepsTheZipOfTheModel() throws {
        let whole = try modelWithMetadata(files: ["labels.txt": "daisy\nrose\n", "notes.txt": "notes"])
        let path = try writeModel("model.tflite", whole)
        #expect(try ModelBundle(path: path).packed() == whole)
        // Other labels go before those of the metadata, which stay.
        let labels = try write("mine\nyours\n", "mine.txt")
        let packed = try repack(
            ModelBundle(path: path, labelsPath: labels), model: Array(whole.prefix(whole.count - 300)))
        #expect(packed.labels?.classNames == ["mine", "yours"])
        #expect(try packed.metadataLabels(ofOutput: 0)?.classNames == Self.labels)
    }

    @Test func packingRefusesTwoFilesOfOneName() throws {
        let path = try writeBundle("bundle")
        var writer = ZipWriter()
        try writer.add("dict.txt", Array("other\n".utf8))
        try writeModel("bundle/model.tflite", writer.appended(to: TestModel().bytes()))
        let error = #expect(throws: ModelFileError.self) { try ModelBundle(path: path).packed() }
        #expect(error?.code == .invalidBundle)
        #expect(error?.message.contains("'dict.txt'") == true)
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func realBundlesOpenAndPack() throws {
        let models = TestPaths.shared.appendingPathComponent("models").path
        let flowers = try ModelBundle(path: models + "/flowers_automl")
        #expect(flowers.labels?.classNames == ["daisy", "dandelion", "roses", "sunflowers", "tulips"])
        let model = flowers.model.bytes.withUnsafeBytes { [UInt8]($0) }
        #expect(try repack(flowers, model: model).labels?.count == 5)
        let expected = [
            "mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite": 1001,
            "mobilenet_v1_small/mobilenet_v1_0.25_128_quant.tflite": 1001,
            "mobilenet_v2_quant/mobilenet_v2_1.0_224_quant.tflite": 1001,
            "salad_automl/salad1_automl.tflite": 6,
            "ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite": 90,
        ]
        for (name, count) in expected {
            let bundle = try ModelBundle(path: models + "/" + name)
            #expect(bundle.labels?.count == count, "\(name)")
            // The same labels lie beside the model as a file.
            let folder = models + "/" + name.prefix { $0 != "/" }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            let file = try #require(files.first { $0.hasSuffix(".txt") })
            #expect(try ModelBundle(path: models + "/" + name, labelsPath: folder + "/" + file).labels == bundle.labels)
        }
        let traffic = try ModelBundle(path: models + "/traffic_automl/traffic_model.tflite")
        #expect(traffic.labels?.displayName(0)?.isEmpty == false)
    }
}
