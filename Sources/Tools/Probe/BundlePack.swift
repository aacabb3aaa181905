import Glibc
import HearthFiles
import HearthModelFile
import HearthVision
import HearthWire

/// Packs a zip of a model and its labels into one model file as `hearth pack` does, inside the sandbox: prints a
/// `PackReport`, then the model.
struct BundlePack {
    /// The largest zip, and the largest model in it. A few copies of both must fit into the sandbox's memory.
    var limitBytes = 512 << 20

    /// - Returns: the exit code.
    func run(descriptor: Int32) -> Int32 {
        var start: [UInt8] = [0, 0]
        guard pread(descriptor, &start, start.count, 0) >= 0 else { return ProbeExitCode.notRun }
        guard start == Array("PK".utf8) else { return print(PackReport(isModel: true)) ? 0 : 1 }
        let packed: [UInt8]
        do {
            let zip = try ModelBytes(descriptor: descriptor, limitBytes: limitBytes)
            var limits = BundleLimits()
            limits.modelBytes = limitBytes
            packed = try ModelPacker(ModelBundle(zip: zip, limits: limits)).packed().bytes
        } catch {
            return print(PackReport(failure: error.probeText)) ? 0 : 1
        }
        guard print(PackReport(sizeBytes: packed.count)) else { return 1 }
        return Descriptor.write(packed, to: STDOUT_FILENO) == nil ? 0 : 1
    }

    private func print(_ report: PackReport) -> Bool {
        guard let json = try? WireJSON.encode(report) else { return false }
        return Descriptor.write(json + [UInt8(ascii: "\n")], to: STDOUT_FILENO) == nil
    }
}
