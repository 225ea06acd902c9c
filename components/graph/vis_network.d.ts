/** The drawing library: Python hands its script out (`view.py`), it does not lie here. What we use of it is in `figure.js`. */
declare const vis: {
  Network: new (container: HTMLElement, data: object, options: object) => any;
  DataSet: new (items?: object[]) => any;
};
export default vis;
