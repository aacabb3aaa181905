extension OperatorTable {
    /// Operators on pictures and volumes, channels last.
    static let images = """
        AVERAGE_POOL_2D            T~/4                       > T~  | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16,bf16,i8,u8,i16
        MAX_POOL_2D                T~/4                       > T~  | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16,bf16,i8,u8,i16
        L2_POOL_2D                 T/4                        > T   | 5 1=1- 2=1- 3=1- 4=1- ; T: f32,f16
        RESIZE_BILINEAR            T/4 i32/1#2>               > T   ; T: f32,f16,bf16,i8,u8,i16
        RESIZE_NEAREST_NEIGHBOR    T/4 i32/1#2>               > T   ; T: f32,f16,bf16,i8,u8,i16,i32,u32,u16,bool
        DEPTH_TO_SPACE             T/4                        > T   | 94 0=1- ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SPACE_TO_DEPTH             T/4                        > T   | 19 0=1- ; T: f32,f16,bf16,i8,u8,i16,i32,i64
        SPACE_TO_BATCH_ND          T/3-4 i32/1#1-2> i32/2#2-4 > T   ; T: plain
        BATCH_TO_SPACE_ND          T/3-4 i32/1#1-2> i32/2#2-4 > T   ; T: plain
        LOCAL_RESPONSE_NORMALIZATION T/4                      > T   | 13 0=0- ; T: f32
        L2_NORMALIZATION           T~                         > T~  ; T: f32,f16,i8,u8,i16
        RFFT2D                     f32/2- i32/1#2>            > c64
        DILATE                     T/1- i32/1> T              > T   ; T: plain
        """
}
