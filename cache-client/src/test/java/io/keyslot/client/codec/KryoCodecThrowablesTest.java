// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyslot.cache.failure.CodecException;
import io.keyslot.client.codec.allow.AllowedClasses;
import io.keyslot.client.codec.allow.JdkClasses;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.text.ParseException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exceptions are values, and so are classes. */
class KryoCodecThrowablesTest {
    private final KryoCodec codec = KryoCodec.create(
            AllowedClasses.of(List.of("io.keyslot.client.codec.*")), getClass().getClassLoader());
    private final KryoCodec strict =
            KryoCodec.create(AllowedClasses.of(List.of()), getClass().getClassLoader());

    static Stream<Throwable> exceptions() throws Exception {
        SQLException sql = new SQLIntegrityConstraintViolationException("duplicate", "23505", 42);
        sql.setNextException(new SQLException("next", "S1", 2, new IOException("cause of the next")));
        BatchUpdateException batch = new BatchUpdateException("batch", "S2", 3, new int[] {1, 2}, sql);
        batch.setNextException(sql);
        InterruptedIOException interrupted = new InterruptedIOException("interrupted");
        interrupted.bytesTransferred = 17;
        return Stream.of(
                new IllegalStateException("closed"),
                new RuntimeException(),
                new RuntimeException((String) null, null),
                new ExecutionException("failed", new CompletionException(new IOException("deep"))),
                new OutOfMemoryError("heap"),
                new ClassNotFoundException("com.acme.Missing", new IOException("why")),
                new ExceptionInInitializerError(new IllegalStateException("init")),
                new UncheckedIOException(new IOException("disk")),
                new InvocationTargetException(new IllegalStateException("target"), "invoked"),
                new NoSuchFileException("a", "b", "gone"),
                interrupted,
                sql,
                batch,
                new MissingResourceException("none", "com.acme.Texts", "key"),
                new ParseException("bad", 3),
                thrownBy(() -> new URI("a b")),
                thrownBy(() -> LocalDate.parse(given("tomorrow"))),
                thrownBy(() -> Pattern.compile(given("[a"))),
                thrownBy(() -> given("%d").formatted("x")),
                thrownBy(() -> given("%q").formatted("x")),
                thrownBy(() -> given("%s %s").formatted("x")),
                thrownBy(() -> new Locale.Builder().setLanguage("?!")),
                thrownBy(() -> (new String[1])[0].length()),
                thrownBy(() -> List.of(1).get(7)),
                thrownBy(() -> Thread.State.valueOf("SLEEPY")),
                thrownBy(() -> Class.forName("com.acme.Missing")));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void exceptionOfTheJdk_isAValueWithoutConfiguration(Throwable original) {
        assertSame(copyOf(strict, original), original);
    }

    @Test
    void stateOfJdkExceptions_comesBack() throws Exception {
        URISyntaxException uri = copyOf(strict, new URISyntaxException("a b", "why", 1));
        DateTimeParseException date = copyOf(strict, new DateTimeParseException("bad", "x", 1));
        SQLException sql = new SQLException("m", "S1", 7);
        sql.setNextException(new SQLException("n"));

        assertThat(uri).extracting("input", "reason", "index").containsExactly("a b", "why", 1);
        assertThat(date).extracting("parsedString", "errorIndex").containsExactly("x", 1);
        SQLException copy = copyOf(strict, sql);
        assertThat(copy.getSQLState()).isEqualTo("S1");
        assertThat(copy.getErrorCode()).isEqualTo(7);
        assertThat(copy.getNextException().getMessage()).isEqualTo("n");
    }

    @Test
    void stackTrace_isEqualAndPrintsAsBefore() {
        Exception original = thrownBy(() -> Stream.of(1).map(i -> i / (i - 1)).toList());
        Exception copy = copyOf(strict, original);

        assertThat(copy.getStackTrace()).isEqualTo(original.getStackTrace());
        assertThat(printed(copy)).isEqualTo(printed(original));
    }

    @Test
    void exceptionWithoutAStackTrace_hasNone() {
        Exception copy = copyOf(codec, new Quiet("quiet"));

        assertThat(copy).hasMessage("quiet");
        assertThat(copy.getStackTrace()).isEmpty();
    }

    @Test
    void suppressedExceptions_comeBackInTheirOrder() {
        Exception original = new Exception("main");
        original.addSuppressed(new IOException("first", new IllegalStateException("cause of the first")));
        original.addSuppressed(new IOException("second"));

        assertSame(copyOf(strict, original), original);
    }

    @Test
    void exceptionsThatReferToEachOther_stillDo() {
        Exception outer = new Exception("outer");
        Exception inner = new Exception("inner", outer);
        outer.initCause(inner);
        inner.addSuppressed(outer);

        Exception copy = copyOf(strict, outer);

        assertThat(copy.getCause()).hasMessage("inner").hasCause(copy).hasSuppressedException(copy);
    }

    @Test
    void exceptionOfTheApplication_keepsItsFields() {
        Order order = new Order("o1", List.of(1, 2));
        OrderFailed original = new OrderFailed(order, new IOException("disk"));

        OrderFailed copy = copyOf(codec, original);

        assertThat(copy.order).isEqualTo(order);
        assertThat(copy.attempts).isEqualTo(3);
        assertSame(copy, original);
    }

    @Test
    void exceptionOfTheApplication_thatIsNotAllowed_isRefusedWithTheLineToAdd() {
        assertThatThrownBy(() -> strict.encode(new OrderFailed(new Order("x", List.of()), null)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("codec.allow: [ \"%s\" ]", OrderFailed.class.getName());
        assertThatThrownBy(() -> strict.encode(new RuntimeException(new Quiet("x"))))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("codec.allow: [ \"%s\" ]", Quiet.class.getName());
    }

    @Test
    void messageThatItsClassCompletes_isNotCompletedTwice() {
        Suffixed original = new Suffixed("failed");

        assertThat(copyOf(codec, original)).hasMessage("failed (see the manual)");
        assertThat(copyOf(codec, new Suffixed(null))).hasMessage("null (see the manual)");
    }

    @Test
    void subclassOfAnExceptionWithState_keepsBoth() {
        Conflict original = new Conflict("conflict", "23505", "order");

        Conflict copy = copyOf(codec, original);

        assertThat(copy.getSQLState()).isEqualTo("23505");
        assertThat(copy.table).isEqualTo("order");
        assertSame(copy, original);
    }

    @Test
    void readObjectOfAnApplicationsException_isCalled() {
        assertThat(copyOf(codec, new Rebuilt("x")).length).isEqualTo(1);
    }

    @Test
    void causeThatIsAField_comesBack() {
        assertThat(copyOf(codec, new Wrapping(new IOException("inner"))))
                .cause()
                .hasMessage("inner");
    }

    @Test
    void exceptionWithinAnotherValue_isAValue() {
        Map<String, Throwable> failures = Map.of("a", new IllegalStateException("b"));

        assertThat(copyOf(strict, failures).get("a")).hasMessage("b");
        assertThat(copyOf(strict, new Exception[] {new IOException("x")})).hasExactlyElementsOfTypes(IOException.class);
    }

    @Test
    void classesThatAreAllowed_areValues() {
        List<Class<?>> classes = List.of(
                int.class,
                void.class,
                long[].class,
                String.class,
                Optional.class,
                List.class,
                IOException.class,
                String[][].class);

        assertThat(copyOf(strict, classes)).isEqualTo(classes);
        assertThat(copyOf(codec, Order.class)).isSameAs(Order.class);
        assertThat(copyOf(codec, Map.of(Order.class, 1))).containsOnlyKeys(Order.class);
        assertThatThrownBy(() -> strict.encode(Order.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("codec.allow: [ \"%s\" ]", Order.class.getName());
        assertThatThrownBy(() -> strict.encode(ProcessBuilder.class)).isInstanceOf(CodecException.class);
    }

    /** What Hibernate stores: an array of Serializable. */
    @Test
    void arrayOfAnInterfaceOfTheJdk_isAValue() {
        java.io.Serializable[] state = {"name", 7L, new java.io.Serializable[] {1, null}};

        assertThat(Arrays.deepEquals(copyOf(strict, state), state)).isTrue();
        assertThat(copyOf(strict, state)).hasSameClassAs(state);
        assertThat(copyOf(strict, new Comparable<?>[][] {{1, "a"}})).isDeepEqualTo(new Comparable<?>[][] {{1, "a"}});
        assertThat(copyOf(strict, new Optional<?>[] {Optional.of(1)})).containsExactly(Optional.of(1));
        assertThatThrownBy(() -> strict.encode(new ProcessBuilder[0])).isInstanceOf(CodecException.class);
    }

    @Test
    void arrayOfAnInterface_isAllowedInJavaSerializationToo() {
        JdkCodec jdk = JdkCodec.create(AllowedClasses.of(List.of()), getClass().getClassLoader());
        java.io.Serializable[] state = {"name", 7L};

        assertThat(jdk.decode(ByteBuffer.wrap(jdk.encode(state)))).isEqualTo(state);
        assertThatThrownBy(() -> jdk.encode(new IllegalStateException()))
                .as("readObject methods of the JDK's exceptions are not part of the bargain")
                .isInstanceOf(CodecException.class);
    }

    /** Searches the JDK for exceptions: each is a value, or refused when it is written. */
    @Test
    void everyExceptionOfTheJdk_comesBackOrIsRefused() throws IOException {
        TreeSet<String> refused = new TreeSet<>();
        List<String> stored = new ArrayList<>();
        for (Class<?> type : throwablesOf("java.base", "java.sql", "java.xml", "java.naming", "java.rmi")) {
            Throwable original = instanceOf(type);
            if (original == null) {
                continue;
            }
            try {
                assertSame(copyOf(strict, original), original);
                stored.add(type.getName());
            } catch (CodecException e) {
                assertThat(e).as(type.getName()).hasMessageContaining("state that only Java serialization");
                refused.add(type.getName());
            }
        }

        assertThat(stored).hasSizeGreaterThan(200);
        assertThat(refused).noneMatch(name -> name.startsWith("java.util.") || name.startsWith("java.net."));
        assertThat(refused.stream().filter(name -> name.matches("java\\.(lang|io|sql)\\..*")))
                .containsExactlyInAnyOrder(
                        "java.io.InvalidClassException",
                        "java.io.WriteAbortedException",
                        "java.lang.annotation.AnnotationTypeMismatchException",
                        "java.lang.annotation.IncompleteAnnotationException",
                        "java.sql.SQLClientInfoException");
    }

    private static List<Class<?>> throwablesOf(String... modules) throws IOException {
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<Class<?>> found = new ArrayList<>();
        for (String module : modules) {
            Path root = image.getPath("/modules", module);
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    String path = root.relativize(file).toString();
                    String name =
                            path.substring(0, path.length() - ".class".length()).replace('/', '.');
                    if (name.startsWith("java") && JdkClasses.isThrowable(name)) {
                        found.add(classOf(name));
                    }
                }
            }
        }
        return found;
    }

    private static Class<?> classOf(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns an exception made by a public constructor from sample arguments, null if there is none. */
    private static @Nullable Throwable instanceOf(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            return null;
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            try {
                Object[] arguments = Stream.of(constructor.getParameterTypes())
                        .map(KryoCodecThrowablesTest::sample)
                        .toArray();
                return (Throwable) constructor.newInstance(arguments);
            } catch (ReflectiveOperationException | IllegalArgumentException | IllegalStateException e) {
                // Another constructor may take the samples.
            }
        }
        return null;
    }

    private static @Nullable Object sample(Class<?> type) {
        if (type == String.class || type == CharSequence.class || type == Object.class) {
            return "sample";
        }
        if (type == int.class || type == char.class) {
            return type == int.class ? (Object) 3 : 'x';
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == Class.class) {
            return Thread.State.class == type ? null : Integer.class;
        }
        if (Throwable.class.isAssignableFrom(type)) {
            return type.isInstance(new IOException("cause")) ? new IOException("cause") : null;
        }
        return null;
    }

    private static void assertSame(@Nullable Throwable copy, @Nullable Throwable original) {
        if (original == null || copy == null) {
            assertThat(copy).isSameAs(original);
            return;
        }
        assertThat(copy).hasSameClassAs(original);
        assertThat(copy.getMessage()).isEqualTo(original.getMessage());
        assertThat(copy.toString()).isEqualTo(original.toString());
        assertThat(copy.getStackTrace()).isEqualTo(original.getStackTrace());
        assertThat(printed(copy)).isEqualTo(printed(original));
        assertSame(copy.getCause(), original.getCause());
        assertThat(copy.getSuppressed()).hasSameSizeAs(original.getSuppressed());
        for (int i = 0; i < copy.getSuppressed().length; i++) {
            assertSame(copy.getSuppressed()[i], original.getSuppressed()[i]);
        }
    }

    /** A text of which the compiler does not know that it is wrong. */
    private static String given(String text) {
        return text;
    }

    private static String printed(Throwable throwable) {
        StringWriter text = new StringWriter();
        throwable.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static Exception thrownBy(Callable<?> action) {
        try {
            action.call();
        } catch (Exception e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }

    @SuppressWarnings("unchecked")
    private static <T> T copyOf(KryoCodec codec, T value) {
        return (T) codec.decode(ByteBuffer.wrap(codec.encode(value)).asReadOnlyBuffer());
    }

    record Order(String id, List<Integer> lines) {}

    static final class OrderFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // It needs not be serializable.
        final Order order;

        final int attempts = 3;

        OrderFailed(Order order, @Nullable Throwable cause) {
            super("order failed", cause);
            this.order = order;
        }
    }

    static final class Quiet extends Exception {
        private static final long serialVersionUID = 1L;

        Quiet(String message) {
            super(message, null, false, false);
        }
    }

    static final class Suffixed extends Exception {
        private static final long serialVersionUID = 1L;

        Suffixed(@Nullable String message) {
            super(message, new IOException("cause"));
        }

        @Override
        public String getMessage() {
            return super.getMessage() + " (see the manual)";
        }
    }

    static final class Conflict extends SQLException {
        private static final long serialVersionUID = 1L;

        final String table;

        Conflict(String message, String state, String table) {
            super(message, state);
            this.table = table;
        }
    }

    static final class Rebuilt extends Exception {
        private static final long serialVersionUID = 1L;

        transient int length;

        Rebuilt(String message) {
            super(message);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            length = String.valueOf(getMessage()).length();
        }
    }

    static final class Wrapping extends Exception {
        private static final long serialVersionUID = 1L;

        private final Exception inner;

        Wrapping(Exception inner) {
            super("wrapping", null);
            this.inner = inner;
        }

        @Override
        public synchronized Throwable getCause() {
            return inner;
        }
    }
}
