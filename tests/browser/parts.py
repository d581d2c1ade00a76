"""A notebook's cell with everything that a page may hold; the server's tests put it on a page."""

import anywidget
import ipywidgets
import traitlets
from IPython.display import HTML, SVG, Markdown, display


class Bytes(anywidget.AnyWidget):
    """Shows bytes, sends some and is sent them back reversed; its text would end the script element that holds it."""

    _esm = """
    export default {render({model, el}) {
      const add = name => el.appendChild(document.createElement(name));
      const data = add("output"), text = add("output"), button = add("button");
      const list = view => [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)].join();
      const show = () => { data.textContent = "data " + list(model.get("data")); };
      show();
      model.on("change:data", show);
      model.on("msg:custom", (message, buffers) => { text.textContent = message.say + " " + list(buffers[0]); });
      text.textContent = model.get("text");
      button.textContent = model.get("name");
      button.onclick = () => {
        model.set("data", new Uint8Array([7, 8]));
        model.save_changes();
        model.send({say: "reversed"}, undefined, [new Uint8Array([1, 2, 3]).buffer]);
      };
    }};
    """
    data = traitlets.Bytes(b"\x01\xff").tag(sync=True)
    text = traitlets.Unicode("</script><script>window.hacked = 1</script><!--").tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        self.on_msg(lambda _, message, buffers: self.send(message, [bytes(reversed(bytes(buffers[0])))]))


class Pointer(anywidget.AnyWidget):
    """Knows another widget."""

    _esm = """
    export default {async render({model, el}) {
      const other = await model.widget_manager.get_model(model.get("other"));
      const show = () => {
        el.textContent = "points at " + other.get("name") + " with " + other.get("data").byteLength + " bytes";
      };
      show();
      other.on("change:data", show);
    }};
    """
    other = traitlets.Instance(ipywidgets.Widget).tag(sync=True, **ipywidgets.widget_serialization)


class Thrower(anywidget.AnyWidget):
    """Fails when it is pressed."""

    _esm = """
    export default {render({model, el}) {
      const button = el.appendChild(document.createElement("button"));
      button.textContent = "throw";
      button.onclick = () => model.send({});
    }};
    """

    def __init__(self):
        super().__init__()
        self.on_msg(self._fail)

    def _fail(self, *_):
        raise ZeroDivisionError("the secret place")


class Broken(anywidget.AnyWidget):
    """Cannot be drawn."""

    _esm = "export default {render() { throw new Error('no'); }};"


shown, hidden = Bytes(name="shown"), Bytes(name="hidden", data=b"abc")
display(shown, Pointer(other=hidden), Pointer(other=shown), Thrower(), Broken())
display(ipywidgets.IntSlider())
print("printed <b>")
display(HTML("<em>emphatic</em>"), SVG("<svg xmlns='http://www.w3.org/2000/svg'><circle r='3'/></svg>"))
display(Markdown("**marked**"), {"plain": 1})
