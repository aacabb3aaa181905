extension OperatorTable {
    /// Convolutions, products of matrices, and cells that keep state.
    static let matrices = """
        CONV_2D                  f32,f16/4 f32,f16,bf16,i8,i4/4^ ?f32,f16/1  > f32,f16  | 1 1=1- 2=1- 4=1-,1 5=1-,1
        CONV_2D                  T~/4 T^/4 ?i32/1                            > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: u8
        CONV_2D                  T~/4 i8,i4,i2^/4 ?i32/1                     > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: i8
        CONV_2D                  T~/4 i8,i4^/4 ?i32,i64/1                    > T~       | 1 1=1- 2=1- 4=1-,1 5=1-,1 ; T: i16
        DEPTHWISE_CONV_2D        f32,f16/4 f32,f16,bf16,i8,i4/4^ -f32,f16/1   > f32,f16  | 2 1=1- 2=1- 5=1-,1 6=1-,1
        DEPTHWISE_CONV_2D        T~/4 T^/4 -i32/1                             > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: u8
        DEPTHWISE_CONV_2D        T~/4 i8,i4^/4 -i32/1                         > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: i8
        DEPTHWISE_CONV_2D        T~/4 i8,i4^/4 -i32,i64/1                     > T~       | 2 1=1- 2=1- 5=1-,1 6=1-,1 ; T: i16
        TRANSPOSE_CONV           i32/1 f32,f16,i8/4^ f32,f16/4 ?f32,f16/1    > f32,f16  | 49 1=1- 2=1-
        TRANSPOSE_CONV           i32/1 u8^/4 T~/4 ?i32/1                     > T~       | 49 1=1- 2=1- ; T: u8
        TRANSPOSE_CONV           i32/1 i8^/4 T~/4 ?i32,i64/1                 > T~       | 49 1=1- 2=1- ; T: i8,i16
        CONV_3D                  f32/5 f32/5 ?f32/1                          > f32      | 106 1=1- 2=1- 3=1- 5=1-,1 6=1-,1 7=1-,1
        CONV_3D_TRANSPOSE        i32/1 f32/5 f32/5 ?f32/1                    > f32      | 106 1=1- 2=1- 3=1- 5=1-,1 6=1-,1 7=1-,1

        FULLY_CONNECTED          f32,f16 f32,f16,bf16,i8,u8,i4,i2& ?f32,f16  > *f32,f16,i8
        FULLY_CONNECTED          i8,u8,i16~ i8,u8,i16,i4,i2& ?i32,i64         > i8,u8,i16~
        BATCH_MATMUL             f32,f16,bf16/2- f32,f16,bf16/2-             > f32,f16,bf16
        BATCH_MATMUL             f32/2-#1- i8,i4/2-#1-^                      > f32
        BATCH_MATMUL             T~/2- i8,i4/2-^                             > i8,i32~  ; T: i8
        BATCH_MATMUL             T~/2- T~/2-                                 > T~       ; T: i16,u8
        BATCH_MATMUL             i16~/2- i8/2-^                              > i16~

        # Their operands are read by kernels of our own; what the engine itself runs has no state.
        LSTM,RNN,SVDF                                             ??*any  > *any
        UNIDIRECTIONAL_SEQUENCE_LSTM,UNIDIRECTIONAL_SEQUENCE_RNN  ??*any  > *any
        BIDIRECTIONAL_SEQUENCE_LSTM,BIDIRECTIONAL_SEQUENCE_RNN    ??*any  > *any
        """
}
