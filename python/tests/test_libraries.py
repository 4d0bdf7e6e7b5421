"""Libraries of arrays, models and pictures, which take frames and series as they are."""

import io

import columnade as cn
import numpy as np
import pytest

POINTS = {"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 5.0, 7.0, 9.0]}


def test_scikit_learn_fits_a_frame():
    from sklearn.linear_model import LinearRegression

    frame = cn.DataFrame(POINTS, device="host")
    model = LinearRegression().fit(frame[["x"]].to_numpy(), frame["y"].to_numpy())
    assert model.coef_ == pytest.approx([2.0]) and model.intercept_ == pytest.approx(1.0)
    # Without a conversion by hand, through numpy's protocol.
    again = LinearRegression().fit(frame[["x"]], frame["y"])
    assert again.predict(frame[["x"]]) == pytest.approx(POINTS["y"])
    predicted = frame.with_columns(p=cn.Series(again.predict(frame[["x"]])))
    assert predicted["p"].to_list() == pytest.approx(POINTS["y"])


def test_scikit_learn_scales_and_clusters():
    from sklearn.cluster import KMeans
    from sklearn.preprocessing import StandardScaler

    frame = cn.DataFrame({"x": [0.0, 0.1, 9.9, 10.0], "y": [0.0, 0.1, 9.9, 10.0]}, device="host")
    scaled = StandardScaler().fit_transform(frame)
    assert scaled.mean(axis=0) == pytest.approx([0.0, 0.0])
    labels = cn.Series(KMeans(n_clusters=2, n_init=1, random_state=0).fit_predict(scaled))
    assert labels.nunique() == 2 and labels.to_list()[0] == labels.to_list()[1]


def test_matplotlib_draws_series():
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    frame = cn.DataFrame(POINTS, device="host")
    figure, axes = pyplot.subplots()
    (line,) = axes.plot(frame["x"], frame["y"])
    assert np.array_equal(line.get_xdata(), POINTS["x"]) and np.array_equal(line.get_ydata(), POINTS["y"])
    axes.bar(cn.Series(["a", "b"], device="host").to_numpy(), cn.Series([1, 2], device="host").to_numpy())
    axes.hist(frame["y"])
    drawn = io.BytesIO()
    figure.savefig(drawn)
    pyplot.close(figure)
    assert b"<svg" in drawn.getvalue()


@pytest.mark.heavy
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_jax_takes_and_gives_tensors(heavy, dtype):
    jax = heavy("jax")
    series = cn.Series([1, 2, 3], dtype=dtype, device="host")
    array = jax.dlpack.from_dlpack(series)
    assert str(array.dtype) == dtype and array.tolist() == [1, 2, 3]
    assert jax.numpy.sum(jax.numpy.asarray(series.to_numpy())) == 6
    back = cn.from_dlpack(array * 2)
    assert str(back.dtype) == dtype and back.to_list() == [2, 4, 6]
    assert cn.Series(array).to_list() == [1, 2, 3]


@pytest.mark.heavy
def test_torch_shares_memory_both_ways(heavy):
    torch = heavy("torch")
    series = cn.Series([1.0, 2.0, 3.0], device="host")
    tensor = torch.from_dlpack(series)
    assert tensor.data_ptr() == series.to_numpy().ctypes.data and tensor.tolist() == [1.0, 2.0, 3.0]
    rows = torch.from_dlpack(cn.DataFrame(POINTS, device="host"))
    assert rows.shape == (5, 2)
    back = cn.from_dlpack(tensor * 2)
    assert back.to_list() == [2.0, 4.0, 6.0]
    assert cn.Series(torch.arange(4)).to_list() == [0, 1, 2, 3]
