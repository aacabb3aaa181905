import CSampling

extension YUVColorSpace {
    /// The formula of `YUVColorSpace`, in whole numbers of 1/8192.
    var colorMatrix: hearth_color_matrix {
        let (red, blue) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let green = 1 - red - blue
        let (luma, chroma) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
        let (redSlope, blueSlope) = (2 * (1 - red) * chroma, 2 * (1 - blue) * chroma)
        func fixed(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        return hearth_color_matrix(
            luma_offset: range == .video ? 16 : 0, luma: fixed(luma), red_difference_in_red: fixed(redSlope),
            blue_difference_in_green: fixed(-blueSlope * blue / green),
            red_difference_in_green: fixed(-redSlope * red / green), blue_difference_in_blue: fixed(blueSlope))
    }
}
