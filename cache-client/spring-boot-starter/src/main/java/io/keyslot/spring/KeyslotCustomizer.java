// SPDX-License-Identifier: Apache-2.0
package io.keyslot.spring;

import java.util.Properties;

/** A bean that changes the properties of the cache manager, overriding those of the environment. */
@FunctionalInterface
public interface KeyslotCustomizer {
    void customize(Properties properties);
}
