// SPDX-License-Identifier: Apache-2.0
package io.keyslot.clients.libraries;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.shiro.authc.AuthenticationInfo;
import org.apache.shiro.authc.AuthenticationToken;
import org.apache.shiro.authc.SimpleAuthenticationInfo;
import org.apache.shiro.authz.AuthorizationInfo;
import org.apache.shiro.authz.SimpleAuthorizationInfo;
import org.apache.shiro.authz.permission.WildcardPermission;
import org.apache.shiro.realm.AuthorizingRealm;
import org.apache.shiro.subject.PrincipalCollection;

/** The users of an application that uses Shiro, with a cache of rights. */
final class Users extends AuthorizingRealm {
    private final AtomicInteger authorizations = new AtomicInteger();

    Users() {
        setName("users");
        setAuthorizationCachingEnabled(true);
        setAuthorizationCacheName("rights");
    }

    /** A collection of principals cannot be a key: read back from its bytes, it does not equal itself. */
    @Override
    protected Object getAuthorizationCacheKey(PrincipalCollection principals) {
        return principals.getPrimaryPrincipal();
    }

    /** Returns how often the database was asked for rights. */
    int authorizations() {
        return authorizations.get();
    }

    @Override
    protected AuthorizationInfo doGetAuthorizationInfo(PrincipalCollection principals) {
        authorizations.incrementAndGet();
        SimpleAuthorizationInfo rights = new SimpleAuthorizationInfo(Set.of("buyer"));
        rights.addStringPermission("order:read:*");
        rights.addObjectPermission(new WildcardPermission("cart:*"));
        return rights;
    }

    @Override
    protected AuthenticationInfo doGetAuthenticationInfo(AuthenticationToken token) {
        return new SimpleAuthenticationInfo(token.getPrincipal(), "secret", getName());
    }
}
