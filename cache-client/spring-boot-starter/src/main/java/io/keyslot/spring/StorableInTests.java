// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives the application contexts that Spring's TestContext framework creates {@link CachedMethods#STRICT} as a default,
 * which every other property source overrides. Without that framework nothing loads this class.
 */
final class StorableInTests implements ContextCustomizerFactory {
    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configuration) {
        return new Default();
    }

    /** Equal to all others, so that tests share a context as before. */
    private record Default() implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            context.getEnvironment()
                    .getPropertySources()
                    .addLast(new MapPropertySource("keyslotTestDefaults", Map.of(CachedMethods.STRICT, true)));
        }
    }
}
