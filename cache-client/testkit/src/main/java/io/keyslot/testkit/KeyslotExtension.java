// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.cache.PartitionedCacheManager;
import java.time.Duration;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test its own {@link EmbeddedKeyslot} and closes it after the test.
 *
 * <p>With {@code @ExtendWith(KeyslotExtension.class)}, test, before-each and after-each methods may have parameters of
 * the types {@code CacheManager}, {@link PartitionedCacheManager} and {@link EmbeddedKeyslot}. With
 * {@code @RegisterExtension} on a non-static field, a test can pass settings and call methods of the field.
 */
public final class KeyslotExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(KeyslotExtension.class);

    private final KeyslotSettings settings;
    private volatile @Nullable EmbeddedKeyslot current;

    /** Called by JUnit. Uses the default settings. */
    public KeyslotExtension() {
        this(KeyslotSettings.defaults());
    }

    public KeyslotExtension(KeyslotSettings settings) {
        this.settings = settings;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        EmbeddedKeyslot started = EmbeddedKeyslot.start(settings);
        context.getStore(NAMESPACE).put(EmbeddedKeyslot.class, started);
        current = started;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        current = null;
        EmbeddedKeyslot started = context.getStore(NAMESPACE).remove(EmbeddedKeyslot.class, EmbeddedKeyslot.class);
        if (started != null) {
            started.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == CacheManager.class || type == PartitionedCacheManager.class || type == EmbeddedKeyslot.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        EmbeddedKeyslot started = context.getStore(NAMESPACE).get(EmbeddedKeyslot.class, EmbeddedKeyslot.class);
        if (started == null) {
            throw new ParameterResolutionException(
                    "There is an EmbeddedKeyslot for each test only: take it as a parameter of the test, or of a method"
                            + " annotated with @BeforeEach or @AfterEach");
        }
        return parameter.getParameter().getType() == EmbeddedKeyslot.class ? started : started.cacheManager();
    }

    /** Returns the instance of the running test. */
    public EmbeddedKeyslot keyslot() {
        EmbeddedKeyslot running = current;
        if (running == null) {
            throw new IllegalStateException(
                    "No test is running that has this extension: annotate its field with @RegisterExtension");
        }
        return running;
    }

    /** Returns {@link EmbeddedKeyslot#cacheManager()} of the running test. */
    public PartitionedCacheManager cacheManager() {
        return keyslot().cacheManager();
    }

    /** Returns {@link EmbeddedKeyslot#partition(String)} of the running test. */
    public PartitionFaults partition(String name) {
        return keyslot().partition(name);
    }

    /** Calls {@link EmbeddedKeyslot#advance} of the running test. */
    public void advance(Duration duration) {
        keyslot().advance(duration);
    }
}
