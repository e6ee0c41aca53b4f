::goto:: goto goto
