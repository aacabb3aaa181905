/// Produces the rows of a picture that is to fill a tensor, from the top, one after the other.
protocol RowSampler {
    /// Writes row `y` as RGB bytes, three a pixel.
    func sampleRow(_ y: Int, into target: UnsafeMutablePointer<UInt8>)
}
