// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import com.google.inject.Guice;
import javax.cache.annotation.BeanProvider;
import org.jsr107.ri.annotations.guice.module.CacheAnnotationsModule;

/** Gives the tests of the JCache annotations their beans; without one they count as passed and do not run. */
public final class GuiceBeans implements BeanProvider {
    @Override
    public <T> T getBeanByType(Class<T> beanType) {
        // Anew for each bean: the interceptors keep the cache manager of their injector, and other tests close it.
        return Guice.createInjector(new CacheAnnotationsModule()).getInstance(beanType);
    }
}
