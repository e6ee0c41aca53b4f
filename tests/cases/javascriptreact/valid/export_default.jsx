export default <main>{title}</main>;
